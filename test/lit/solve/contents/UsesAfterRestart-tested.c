// Where every use stands behind a test for null, in whatever form, nothing is to
// be done but to know of it.
//
// RUN: cd %S && %nvmove --load load --analyze-only --force --out %t.out UsesAfterRestart-tested.c > %t.log
// RUN: FileCheck %s --input-file %t.log --implicit-check-not=used-after-restart
// CHECK: pointer-to-volatile {{.*}}item.anded, item.asserted, item.assigned, item.chosen, item.died, item.freed and 9 more may point to struct net, allocated here and not persistent: a restart makes it null
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct net { int n; struct net *next; };
struct item {
  struct item *next;
  int key;
  struct net *returned, *anded, *ored, *looped, *skipped, *asserted, *chosen,
      *negated, *assigned, *local, *mended, *died, *handed, *inside, *freed;
};
static struct item *items;
static struct net *first;

static struct item *add(int key) {
  struct item *i = calloc(1, sizeof *i);
  i->key = key;
  i->returned = i->anded = i->ored = i->looped = i->skipped = first;
  i->asserted = i->chosen = i->negated = i->assigned = i->local = first;
  i->mended = i->died = i->handed = i->inside = i->freed = first;
  i->next = items;
  return items = i;
}
static void load(void) {
  FILE *f = fopen("state", "r");
  int key;
  while (f && fscanf(f, "%d", &key) == 1)
    add(key);
}
static int returned(struct item *i) {
  if (!i->returned)
    return 0;
  return i->returned->n;
}
static int skipped(struct item *i) {
  int n = 0;
  for (; i; i = i->next) {
    if (i->skipped == NULL)
      continue;
    n += i->skipped->n;
  }
  return n;
}
static int asserted(struct item *i) {
  assert(i->asserted);
  return i->asserted->n;
}
static int handed(const struct net *net) { return net ? net->n : 0; }
static int inside(struct item *i) { return i->inside->n; }
extern void die(const char *why);

static int command(struct item *i) {
  struct net *net;
  int n = returned(i) + skipped(items) + asserted(i);
  if (i->anded && i->anded->n)
    n += i->anded->next->n;
  if (!i->ored || i->ored->n == n)
    return n;
  while (i->looped) {
    n += i->looped->n;
    i->looped = i->looped->next;
  }
  n += i->chosen ? i->chosen->n : 0;
  if (!(i->negated != NULL && n))
    return n;
  n += i->negated->n;
  if ((net = i->assigned) != 0)
    n += net->n;
  net = i->local;
  if (net)
    n += net->n;
  if (!i->mended)
    i->mended = first;
  n += i->mended->n;
  if (!i->died)
    die("no network");
  n += i->died->n;
  n += handed(i->handed);
  if (i->inside)
    n += inside(i);
  free(i->freed);
  return n;
}
int main(void) {
  int c;
  first = malloc(sizeof *first);
  first->n = 1;
  load();
  while ((c = getchar()) != EOF)
    printf("%d\n", command(add(c)));
  return 0;
}
