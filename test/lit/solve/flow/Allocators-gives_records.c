// Makers that give back void * what they have made as a record: they are no
// allocators, whose callers know the type. One that is given the size, or that
// gives back what lies behind a count, is.
//
// RUN: %nvmove --load load --print types %s -- > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// CHECK-DAG: node
// CHECK-DAG: leaf
// CHECK-DAG: book
// CHECK-DAG: page

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct leaf {
  int value;
};
struct book {
  char *title;
};
struct page {
  int number;
};
struct node {
  struct node *next;
  void *data;
};
struct kind {
  void *(*make)(int n);
};
static struct node *nodes;

static void *leaf(int n) {
  struct leaf *l = malloc(sizeof *l);
  l->value = n;
  return l;
}
static void *book(int n) {
  struct book *b = malloc(sizeof *b);
  char title[20];
  if (scanf("%19s", title) != 1) {
    free(b);
    return NULL;
  }
  b->title = strdup(title);
  return b;
}
static const struct kind kinds[] = {{leaf}, {book}};

static void *counted(size_t n) {
  long *references = malloc(sizeof *references + n);
  *references = 1;
  return references + 1;
}
static void add(void *data) {
  struct node *n = malloc(sizeof *n);
  n->data = data;
  n->next = nodes;
  nodes = n;
}
static void load(void) {
  int k, n;
  while (scanf("%d %d", &k, &n) == 2) {
    struct page *p = counted(sizeof *p);
    p->number = n;
    add(p);
    add(kinds[k & 1].make(n));
  }
}
int main(void) {
  load();
  while (getchar() != EOF)
    puts(nodes ? "some" : "none");
  return 0;
}
