// A field that a start sets and a restart makes null, followed without a test:
// by a handler, by a function that it is passed to at any depth, by a function
// of the library, behind an accessor, in start-up behind the load; or compared
// with another. The places are named. A test of another object, or before the
// variable moves on, is none.
//
// RUN: cd %S && %nvmove_act --load load --analyze-only --force --out %t.out UsesAfterRestart-untested.c > %t.log
// RUN: FileCheck %s --input-file %t.log
// RUN: FileCheck %s --input-file %t.log --check-prefix=FIRST
// FIRST: findings to act on
// FIRST-NEXT: used-after-restart
// CHECK-DAG: used-after-restart {{.*}}item.plain may point to struct net, allocated here and not persistent: a restart makes it null, and it is used without a test at UsesAfterRestart-untested.c:[[#@LINE+44]] (in
// CHECK-DAG: used-after-restart {{.*}}item.handed may point {{.*}} at UsesAfterRestart-untested.c:[[#@LINE+44]] (in
// CHECK-DAG: used-after-restart {{.*}}item.given may point {{.*}} at UsesAfterRestart-untested.c:[[#@LINE+44]] (in
// CHECK-DAG: used-after-restart {{.*}}item.moved may point {{.*}} at UsesAfterRestart-untested.c:[[#@LINE+46]] (in
// CHECK-DAG: used-after-restart {{.*}}item.local may point {{.*}} at UsesAfterRestart-untested.c:[[#@LINE+47]] (in
// CHECK-DAG: used-after-restart {{.*}}item.label may point to what getenv() returns: a restart makes it null, and it is used without a test at UsesAfterRestart-untested.c:[[#@LINE+47]] (in
// CHECK-DAG: used-after-restart {{.*}}item.compared may point {{.*}} at UsesAfterRestart-untested.c:[[#@LINE+47]] (in
// CHECK-DAG: used-after-restart {{.*}}item.other may point {{.*}} at UsesAfterRestart-untested.c:[[#@LINE+48]] (in
// CHECK-DAG: used-after-restart {{.*}}item.behind may point {{.*}} at UsesAfterRestart-untested.c:[[#@LINE+52]] (in
// CHECK-DAG: -> set it again after nvm_restore() in all restored objects, or test it before the use
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct net { int n; };
struct item {
  struct item *next;
  int key;
  struct net *plain, *handed, *given, *moved, *local, *compared, *other, *behind;
  char *label;
};
static struct item *items;
static struct net *first;

static struct item *add(int key) {
  struct item *i = calloc(1, sizeof *i);
  i->key = key;
  i->plain = i->handed = i->given = i->moved = first;
  i->local = i->compared = i->other = i->behind = first;
  i->label = getenv("LABEL");
  i->next = items;
  return items = i;
}
static void load(void) {
  FILE *f = fopen("state", "r");
  int key;
  while (f && fscanf(f, "%d", &key) == 1)
    add(key);
}
static int inner(const struct net *net) { return net->n; }
static int outer(int k, const struct net *net) { return k + inner(net); }
static struct net *give(struct item *i) { return i->given; }

static int command(struct item *i) {
  int n = i->plain->n;
  n += outer(n, i->handed);
  n += give(i)->n;
  if (i->moved) {
    i = i->next;
    n += i->moved->n;
  }
  struct net *net = i->local; n += net->n;
  n += strcmp(i->label, "x");
  n += i->compared == first;
  if (i->next->other)
    n += i->other->n;
  return n;
}
static void begin(void) {
  for (struct item *i = items; i; i = i->next)
    printf("%d\n", i->behind->n);
}
int main(void) {
  int c;
  first = malloc(sizeof *first);
  first->n = 1;
  load();
  begin();
  while ((c = getchar()) != EOF)
    printf("%d\n", command(add(c)));
  return 0;
}
