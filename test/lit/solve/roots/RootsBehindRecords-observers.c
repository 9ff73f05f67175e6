// Each start pushes nodes on lists that came back: what the head held goes on in
// the node, so that a static one that is there already would lead to itself.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove_act --load load program.c > out
// RUN: FileCheck %s --input-file out
// CHECK: behind-load {{.*}}observe() runs at each start, on restored state, and changes struct document.observers depending on its old value
// CHECK: behind-load {{.*}}standard() runs at each start, on restored state, and changes documents depending on its old value
// CHECK-NOT: behind-load

//--- program.c
#include <stdio.h>
#include <stdlib.h>

struct observer {
  struct observer *next;
  int count;
};
struct document {
  struct document *next;
  int n;
  struct observer *observers, *last;
};
static struct document *documents;
static struct observer counter;

static void make(int n) {
  struct document *d = calloc(1, sizeof *d);
  if (!d)
    abort();
  d->n = n;
  d->next = documents;
  documents = d;
}
static void standard(void) {
  struct document *d = calloc(1, sizeof *d);
  if (!d)
    abort();
  d->next = documents;
  documents = d;
}
static void observe(struct document *d, struct observer *o) {
  o->next = d->observers;
  d->observers = o;
}
static void set(struct document *d, struct observer *o) { d->last = o; }
static void load(void) {
  int n;
  FILE *f = fopen("state", "r");
  if (!f)
    return;
  while (fscanf(f, "%d", &n) == 1)
    make(n);
  fclose(f);
}
static void command(int c) {
  documents->n = c;
  for (struct observer *o = documents->observers; o; o = o->next)
    o->count++;
}
int main(void) {
  int c;
  load();
  observe(documents, &counter);
  standard();
  set(documents, &counter);
  while ((c = getchar()) != EOF)
    command(c);
  printf("%d\n", counter.count);
  return 0;
}
