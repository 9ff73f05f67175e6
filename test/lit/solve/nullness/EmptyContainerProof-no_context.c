// A record on the stack whose pointer nothing sets while loading; with -DSET a
// library is handed its address, and with -DCAST it comes from a number.
//
// RUN: cd %S && %nvmove --load load --print types EmptyContainerProof-no_context.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types EmptyContainerProof-no_context.c -- -std=gnu99 -DSET > %t.set
// RUN: FileCheck %s --input-file %t.set --match-full-lines --check-prefix=LOG
// RUN: %nvmove --load load --print types EmptyContainerProof-no_context.c -- -std=gnu99 -DCAST > %t.cast
// RUN: FileCheck %s --input-file %t.cast --match-full-lines --check-prefix=LOG
//
// CHECK: item
// LOG: entry

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct context { int depth; };
struct reader { FILE *f; struct context *context; };
struct item { int v; struct item *next; };
struct entry { int v; struct entry *next; };
static struct item *items;
static struct entry *entries;
void plug_in(struct reader *r);

static void note(struct context *c) {
  assert(c);
  struct entry *e = malloc(sizeof *e);
  e->v = c->depth;
  e->next = entries;
  entries = e;
}
void load(FILE *f) {
  struct reader r = {f, NULL};
  int v;
#ifdef SET
  plug_in(&r);
#endif
#ifdef CAST
  r.context = (struct context *)(size_t)fgetc(f);
#endif
  while (fscanf(r.f, "%d", &v) == 1) {
    struct item *i = malloc(sizeof *i);
    i->v = v;
    i->next = items;
    items = i;
  }
  if (r.context)
    note(r.context);
}
int main(int argc, char **argv) {
  struct context c = {argc};
  load(stdin);
  note(&c);
  return items ? items->v : 0;
}
