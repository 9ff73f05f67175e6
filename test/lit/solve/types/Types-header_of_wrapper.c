// Each block of the program's allocator begins with a header, which no pointer
// of the load leads to as such.
//
// RUN: %nvmove --load load --print types %s -- -std=gnu11 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines
// CHECK-DAG: hdr
// CHECK-DAG: node
// CHECK-DAG: val
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hdr { int refs; };
struct val { int n; char s[12]; };
struct node { struct node *next; struct val *v; };
static struct node *all;
#define REFS(p) (*(int *)((char *)(p) - 8))

static void *make(size_t n) {
  struct hdr *h = malloc(sizeof *h + 4 + n);
  h->refs = 1;
  return (char *)h + 8;
}

static struct val *value(int n, const char *s) {
  struct val *v = make(sizeof *v);
  v->n = n;
  strncpy(v->s, s, 11);
  v->s[11] = 0;
  return v;
}

static void drop(void *p) {
  if (!--REFS(p))
    free((char *)p - 8);
}

static void add(struct val *v) {
  struct node *n = make(sizeof *n);
  n->v = v;
  REFS(v)++;
  n->next = all;
  all = n;
}

static void load(const char *p) {
  char w[20];
  int n;
  FILE *f = fopen(p, "r");
  while (fscanf(f, "%19s %d", w, &n) == 2) {
    struct val *v = value(n, w);
    add(v);
    drop(v);
  }
  fclose(f);
}

int main(int argc, char **argv) {
  char l[80];
  load(argv[argc - 1]);
  while (fgets(l, 80, stdin))
    for (struct node *n = all; n; n = n->next)
      printf("%s%d/%d, ", n->v->s, n->v->n, REFS(n->v));
  return 0;
}
