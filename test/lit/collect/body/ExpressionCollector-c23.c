// nullptr is a null pointer, and nothing that is not followed.
//
// RUN: %nvmove_act --load load --analyze-only --force --out %t.out %s -- -std=c23 > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK-NOT: not-followed
// CHECK: 1 persistent type
// CHECK-NEXT: {{^ *}}item 
// CHECK-NOT: not-followed
#include <stdio.h>
#include <stdlib.h>
struct item { struct item *next; int n; };
struct waiter { struct waiter *next; };
static struct item *items = nullptr;
static struct waiter *waiting = nullptr;

static struct waiter *woken;

static void wake(void) {
  struct waiter *w = malloc(sizeof *w);
  w->next = woken;
  woken = w;
}

static void stay(void) { waiting = malloc(sizeof *waiting); }

static void load(FILE *f) {
  int n;
  while (fread(&n, sizeof n, 1, f) == 1) {
    auto i = (struct item *)calloc(1, sizeof(struct item));
    i->n = n;
    i->next = items != nullptr ? items : nullptr;
    items = i;
    if (waiting != nullptr)
      wake();
  }
}

int main() {
  load(stdin);
  while (getchar() != EOF)
    stay();
}
