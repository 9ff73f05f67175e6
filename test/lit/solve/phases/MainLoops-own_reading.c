// A program without a main loop: the loop in which the load reads its file is
// none, though main reads another file with the same function later.
//
// RUN: %nvmove --print types --load read_db %s | FileCheck %s
// CHECK-DAG: {{^db$}}
// CHECK-DAG: {{^rec$}}
// CHECK-DAG: {{^rset$}}
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct rec { struct rec *next; char text[40]; };
struct rset { struct rset *next; struct rec *recs; };
struct db { struct rset *sets; int size; };
static struct rset *parse_set(FILE *in) {
  struct rset *s = calloc(1, sizeof *s);
  int c, n = 0;
  while ((c = getc(in)) != EOF && c != '\f') {
    if (n == 0) {
      struct rec *r = calloc(1, sizeof *r);
      r->next = s->recs;
      s->recs = r;
    }
    if (c == '\n')
      n = 0;
    else if (n < 39)
      s->recs->text[n++] = c;
  }
  if (c != EOF)
    return s;
  free(s);
  return NULL;
}
static struct db *parse_db(FILE *in) {
  struct db *db = calloc(1, sizeof *db);
  for (struct rset *s; (s = parse_set(in)) != NULL; db->size++)
    s->next = db->sets, db->sets = s;
  return db;
}
static struct db *read_db(char *name) {
  struct db *db = calloc(1, sizeof *db);
  FILE *in = fopen(name, "r");
  for (struct rset *s; in && (s = parse_set(in)) != NULL; db->size++)
    s->next = db->sets, db->sets = s;
  return db;
}
static int check(struct db *db, char *other) {
  FILE *f = fopen(other, "r");
  struct db *o = f ? parse_db(f) : NULL;
  return o && db->size == o->size;
}
int main(int argc, char **argv) {
  struct db *db = read_db(argv[1]);
  for (struct rset *s = db->sets; s; s = s->next)
    if (check(db, argv[argc - 1]) && !strcmp(s->recs->text, argv[1]))
      puts(s->recs->text);
  return 0;
}
