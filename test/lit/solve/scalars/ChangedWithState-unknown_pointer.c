// What is behind a pointer of which the analysis knows nothing may be any object
// whose address is handed on, last among them: a member of an item that the load
// fills, too, says nothing of that text.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.c
// RUN: %nvmove --load load app.c | FileCheck %s
// CHECK: app.c:{{[0-9]+}}:7 {{.*}}changed-with-state {{.*}}last is changed by handlers
//
// RUN: %nvmove --load load --keep last --out kept app.c
// RUN: sh %S/../../rewrite/Inputs/apply kept/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'a x 3\nc x 4\n' | env NVM_POOL=%t/pool NVM_SIZE=32M ./app
// RUN: echo 'p p 0' | env NVM_POOL=%t/pool ./app | FileCheck %s --check-prefix=LOG
// LOG: last x

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
  char key[12];
  int v;
  int (*op)(int, int);
};
struct table {
  uintptr_t *items; /* with a mark in the lowest bit */
  size_t n;
};
static char last[32];

static int sum(int a, int b) { return a + b; }
static int product(int a, int b) { return a * b; }

static void say(const char *form, ...) {
  va_list more;
  va_start(more, form);
  vprintf(form, more);
  va_end(more);
}
static struct item *at(struct table *t, size_t k) {
  return (struct item *)(t->items[k] & ~(uintptr_t)1);
}
static void fill(struct item *i, const char *key, int v) {
  snprintf(i->key, sizeof i->key, "%s", key);
  i->v = v;
}
static void add(struct table *t, const char *key, int v) {
  struct item *i = calloc(1, sizeof *i);
  fill(i, key, v);
  i->op = sum;
  t->items = realloc(t->items, (t->n + 1) * sizeof *t->items);
  t->items[t->n++] = (uintptr_t)i;
}
static void change(struct table *t, const char *key, int v) {
  for (size_t k = 0; k < t->n; k++)
    if (!strcmp(at(t, k)->key, key)) {
      struct item *i = at(t, k);
      fill(i, key, v);
      i->op = i->op == sum ? product : sum;
    }
}
static void show(struct table *t) {
  for (size_t k = 0; k < t->n; k++)
    say("%s %d %d\n", at(t, k)->key, at(t, k)->v, at(t, k)->op(3, 4));
}
int load(const char *path, struct table *t) {
  char key[12];
  int v;
  FILE *f = fopen(path, "r");
  if (!f)
    return -1;
  while (fscanf(f, "%11s %d", key, &v) == 2)
    add(t, key, v);
  fclose(f);
  return 0;
}
int main(void) {
  char line[80], c, key[12];
  int v;
  struct table t;
  memset(&t, 0, sizeof t);
  if (load("data", &t) < 0)
    add(&t, "first", 1);
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "%c %11s %d", &c, key, &v) != 3)
      continue;
    if (c == 'a') {
      snprintf(last, sizeof last, "%s", key);
      add(&t, key, v);
    } else if (c == 'c') {
      change(&t, key, v);
    } else {
      show(&t);
      say("last %s\n", last);
    }
    fflush(stdout);
  }
}
