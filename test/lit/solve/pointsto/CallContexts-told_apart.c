// Small functions are followed for each call that leads to them: what the load
// puts into a list for a while is not in the list that stays, though one
// function adds to both.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load --print types p.c | FileCheck %s --implicit-check-not={{.}}
// CHECK: derived
// CHECK-NEXT: item
// CHECK-NEXT: leaf
// CHECK-NEXT: tag
// CHECK-NEXT: base
// CHECK-NEXT: bases
// CHECK-NEXT: list
// CHECK-NEXT: node
// CHECK-NEXT: seen
// RUN: %nvmove_act --load load --out out p.c > log
// RUN: FileCheck %s --input-file log --check-prefix=ROOTS
// ROOTS: 7 roots
// ROOTS-NEXT: all
// ROOTS-NEXT: bases.first
// ROOTS-NEXT: items
// ROOTS-NEXT: last
// ROOTS-NEXT: leaves
// ROOTS-NEXT: tags
// ROOTS-NEXT: tree
// RUN: sh %S/../../rewrite/Inputs/apply out/patches %runtime_include p.c
// RUN: gcc -I %runtime_include p.c %runtime_lib -o p
// RUN: sh run ./p > text
// RUN: FileCheck %s --input-file text --check-prefix=OUT
// OUT: one one one one 2 3
// OUT-NEXT: two two two two 1 3
// OUT-NEXT: three three three three 0 3
// OUT-NEXT: killed 137
// OUT-NEXT: one one one one 2 3
// OUT-NEXT: two two two two 1 3
// OUT-NEXT: three three three three 0 3

//--- run
printf 'one 1\ntwo 2\nthree 3\n' > state
export NVM_POOL=$PWD/pool NVM_SIZE=32M
echo k | "$1" state
echo killed $?
"$1" state < /dev/null

//--- p.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct list { void **items; int n, cap; };
struct tok { char *text; };   /* gone with the list of a line */
struct item { char name[16]; };
struct tag { char name[16]; };
struct leaf { char name[16]; };
struct seen { struct item *item; struct seen *next; };
struct node { struct node *left, *right; void *what; };
struct work { int n; };       /* in a tree that is freed */
struct base { struct base *next; };
struct derived { struct base base; char name[16]; };
struct bases { struct base *first; };
static struct list *items, *tags, *leaves;
static struct seen *all;
static struct node *tree;
static struct bases bases;
static struct item *last;
static void *get(size_t n) { void *p = calloc(1, n); if (!p) abort(); return p; }
static void grow(struct list *l) {
  l->cap = l->cap ? l->cap * 2 : 4;
  l->items = realloc(l->items, (size_t)l->cap * sizeof *l->items);
}
static void room(struct list *l) { if (l->n == l->cap) grow(l); }
static struct list *list_new(void) { return get(sizeof(struct list)); }
static void list_add(struct list *l, void *x) { room(l); l->items[l->n++] = x; }
/* Called by name and through a pointer. */
static void list_put(struct list *l, void *x) { list_add(l, x); }
static void (*put)(struct list *, void *) = list_put;
static void *list_get(struct list *l, int i) { return l->items[i]; }
static void list_free(struct list *l) {
  for (int i = 0; i < l->n; i++) free(l->items[i]);
  free(l->items);
  free(l);
}
/* A static of its own, which all calls share. */
static struct item *note(struct item *i) { last = i; return last; }
/* Recursion in one function, and between two. */
static struct node *insert(struct node *t, void *what, int way) {
  if (!t) { t = get(sizeof *t); t->what = what; return t; }
  if (way & 1) t->left = insert(t->left, what, way >> 1);
  else t->right = insert(t->right, what, way >> 1);
  return t;
}
static void odd(struct list *l, void *x, int n);
static void even(struct list *l, void *x, int n) { if (n) odd(l, x, n - 1); else list_add(l, x); }
static void odd(struct list *l, void *x, int n) { if (n) even(l, x, n - 1); else list_add(l, x); }
static void destroy(struct node *t) { if (t) { destroy(t->left); destroy(t->right); free(t->what); free(t); } }
static void push(struct bases *l, struct base *b) { b->next = l->first; l->first = b; }
static int find(struct node *t, void *what, int depth) {
  if (!t) return -1;
  if (t->what == what) return depth;
  int l = find(t->left, what, depth + 1);
  return l >= 0 ? l : find(t->right, what, depth + 1);
}
static void load(const char *name) {
  char line[80];
  FILE *f = fopen(name, "r");
  if (!f) return;
  struct node *queue = NULL;
  struct bases gone = {NULL};
  while (fgets(line, sizeof line, f)) {
    struct list *toks = list_new();
    for (char *w = strtok(line, " \n"); w; w = strtok(NULL, " \n")) {
      struct tok *t = get(sizeof *t);
      t->text = w;
      list_add(toks, t);
    }
    if (toks->n == 2) {
      char *text = ((struct tok *)list_get(toks, 0))->text;
      int way = atoi(((struct tok *)list_get(toks, 1))->text);
      struct item *i = get(sizeof *i);
      strncpy(i->name, text, 15);
      list_add(items, note(i));
      struct tag *t = get(sizeof *t);
      strncpy(t->name, text, 15);
      put(tags, t);
      struct leaf *v = get(sizeof *v);
      strncpy(v->name, text, 15);
      even(leaves, v, way);
      struct seen *s = get(sizeof *s);
      s->item = i;
      s->next = all;
      all = s;
      tree = insert(tree, i, way);
      struct work *w = get(sizeof *w);
      w->n = way;
      queue = insert(queue, w, way);
      struct derived *d = get(sizeof *d);
      strncpy(d->name, text, 15);
      push(&bases, &d->base);
      push(&gone, get(sizeof(struct base)));
    }
    list_free(toks);
  }
  destroy(queue);
  fclose(f);
}
static void show(void) {
  struct base *b;
  for (int i = 0; i < items->n; i++) {
    int k = 0, n = 0;
    struct item *it = list_get(items, i);
    struct seen *s;
    for (b = bases.first; b && strcmp(((struct derived *)b)->name, it->name); b = b->next) k++;
    for (s = all; s; s = s->next) n++;
    printf("%s %s %s %s %d %d\n", it->name, ((struct tag *)list_get(tags, i))->name,
           ((struct leaf *)list_get(leaves, i))->name, find(tree, it, 0) >= 0 && last ? it->name : "-", k, n);
  }
  fflush(stdout);
}
int main(int argc, char **argv) {
  char line[80];
  (void)argc;
  items = list_new();
  tags = list_new();
  leaves = list_new();
  load(argv[1]);
  show();
  while (fgets(line, sizeof line, stdin))
    if (line[0] == 'k') kill(getpid(), SIGKILL);
  return 0;
}
