// Several files define a struct data, each its own, behind a header that only
// declares it, and take what hangs in a record of the header for theirs. The
// records are made by start-up: whose each is only the table of functions says.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove_act --load load --out one main.c a.c b.c | FileCheck %s
// The order of files makes no difference.
// RUN: %nvmove_act --load load --out two b.c main.c a.c | FileCheck %s
// CHECK: 4 persistent types
// CHECK-DAG: data  a.c
// CHECK-DAG: data  b.c
// CHECK-DAG: entry a.c
// CHECK-DAG: node  b.c
//--- h.h
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct data;
struct set;
struct type {
  const char *name;
  struct data *(*make)(void);
  int (*parse)(struct set *s, char *line);
  int (*query)(const struct set *s, const char *key);
};
struct set {
  const char *file;
  const struct type *type;
  struct data *data;
  struct set *next;
};
extern const struct type type_a, type_b;
//--- a.c
#include "h.h"
struct entry { struct entry *next; int key; };
struct data { struct entry *entries; int n; };
static struct data *make(void) { return calloc(1, sizeof(struct data)); }
static int parse(struct set *s, char *line) {
  struct data *d = s->data;
  struct entry *e = malloc(sizeof *e);
  if (!e) return 0;
  e->key = atoi(line);
  e->next = d->entries;
  d->entries = e;
  d->n++;
  return 1;
}
static int query(const struct set *s, const char *key) {
  struct data *d = s->data;
  for (struct entry *e = d->entries; e; e = e->next)
    if (e->key == atoi(key)) return 1;
  return 0;
}
const struct type type_a = {"a", make, parse, query};
//--- b.c
#include "h.h"
struct node { struct node *left, *right; char text[32]; };
struct data { struct node *root; };
static struct data *make(void) { return calloc(1, sizeof(struct data)); }
static int parse(struct set *s, char *line) {
  struct data *d = s->data;
  struct node *n = calloc(1, sizeof *n), **at = &d->root;
  if (!n) return 0;
  strncpy(n->text, line, 31);
  while (*at) at = strcmp(line, (*at)->text) < 0 ? &(*at)->left : &(*at)->right;
  *at = n;
  return 1;
}
static int query(const struct set *s, const char *key) {
  struct data *d = s->data;
  for (struct node *n = d->root; n;) {
    int c = strcmp(key, n->text);
    if (!c) return 1;
    n = c < 0 ? n->left : n->right;
  }
  return 0;
}
const struct type type_b = {"b", make, parse, query};
//--- main.c
#include "h.h"
static struct set *sets;
static const struct type *const types[] = {&type_a, &type_b, 0};
static void add(char *name, char *file) {
  struct set *s = calloc(1, sizeof *s);
  if (!s) exit(2);
  for (const struct type *const *t = types; *t; t++)
    if (!strcmp((*t)->name, name)) s->type = *t;
  if (!s->type) exit(2);
  s->file = file;
  s->data = s->type->make();
  s->next = sets;
  sets = s;
}
static int load(void) {
  char line[64];
  for (struct set *s = sets; s; s = s->next) {
    FILE *f = fopen(s->file, "r");
    if (!f) return 0;
    while (fgets(line, sizeof line, f)) s->type->parse(s, line);
    fclose(f);
  }
  return 1;
}
int main(int argc, char **argv) {
  for (int i = 1; i + 1 < argc; i += 2) add(argv[i], argv[i + 1]);
  if (!load()) return 1;
  char line[64];
  while (fgets(line, sizeof line, stdin))
    for (struct set *s = sets; s; s = s->next)
      printf("%s %d\n", s->file, s->type->query(s, line));
  return 0;
}
