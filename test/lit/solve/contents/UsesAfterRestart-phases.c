// What does not run after a restart uses nothing then: the load alone, what is
// done before the program ends. And null is nothing new where a start leaves it
// so: only handlers set the field, or the load does where it finds something.
// What may be something that lasts is used for other objects.
//
// RUN: cd %S && %nvmove_act --load load --analyze-only --force --out %t.out UsesAfterRestart-phases.c > %t.log
// RUN: FileCheck %s --input-file %t.log --implicit-check-not=used-after-restart
// CHECK: used-after-restart {{.*}}item.always may point to {{.*}} without a test at UsesAfterRestart-phases.c:[[#@LINE+55]]
// CHECK: pointer-to-volatile {{.*}}item.either, item.ending, item.handled, item.loaded, item.perhaps may point to struct net
#include <stdio.h>
#include <stdlib.h>

struct net { int n; };
struct item {
  struct item *next;
  int key;
  struct net *always, *loaded, *ending, *handled, *perhaps;
  void *either;
};
static struct item *items;
static struct net *first;

static struct item *add(int key) {
  struct item *i = calloc(1, sizeof *i);
  i->key = key;
  i->always = i->loaded = i->ending = first;
  i->perhaps = NULL;
  i->either = first;
  i->next = items;
  return items = i;
}
static void show(struct item *i) { printf("%d\n", i->loaded->n); }
static void load(void) {
  FILE *f = fopen("state", "r");
  int key;
  while (f && fscanf(f, "%d", &key) == 1) {
    struct item *i = add(key);
    if (key == first->n)
      i->perhaps = first;
    if (key == 3)
      i->either = i;
    show(i);
  }
}
static void stop(void) {
  for (struct item *i = items; i; i = i->next)
    i->ending->n = 0;
  exit(0);
}
static void end(void) {
  for (struct item *i = items; i; i = i->next)
    i->ending->n = 0;
}
static int command(int c) {
  if (c == 'q') {
    end();
    exit(0);
  }
  struct item *i = add(c);
  i->handled = first;
  if (c == 'x')
    stop();
  return i->always->n + i->next->handled->n + i->next->perhaps->n + ((struct net *)i->next->either)->n;
}
int main(void) {
  int c;
  first = malloc(sizeof *first);
  first->n = 1;
  load();
  while ((c = getchar()) != EOF)
    printf("%d\n", command(c));
  end();
  return 0;
}
