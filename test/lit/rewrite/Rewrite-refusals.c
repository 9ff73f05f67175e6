// What cannot be edited is listed with its place, and the rest is rewritten.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove_act --notes --load load program.c > out
// RUN: FileCheck %s --input-file out
// CHECK:     to act on
// CHECK-DAG: program.c:[[#]]:[[#]]{{ +}}function-scope-static{{ +}}'hidden' is a static variable inside a function, so the root 'hidden' is not kept
// CHECK-DAG: program.c:[[#]]:[[#]]{{ +}}no-definition{{ +}}'elsewhere' is not defined in the files that were analysed, so the root 'elsewhere' is not kept
// CHECK-DAG: program.c:[[#]]:[[#]]{{ +}}thread-local-static{{ +}}'latest' is thread-local, so the root 'latest' is not kept
// CHECK-DAG: program.c:[[#]]:[[#]]{{ +}}section-not-bracketed
// CHECK:     3 patches
//
// RUN: sh %S/Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c --check-prefix=REST
// REST: NVM(o->id) = id;
// REST: snprintf(NVM_REST(o->name), room(o->name), "%d", id);
// REST: NVM_ROOT_POINTERS(first);

//--- program.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kind { int number; };
static struct kind small = { 1 };
struct object { int id; const struct kind *kind; char name[16]; struct object *next; };
static struct object *first;
static __thread struct object *latest;
extern struct object *elsewhere;
static struct object start = { 0, &small, "start", NULL };

static size_t room(char *name) { return 16 - (name == NULL); }

#define KEPT(type, name) static type *name
static struct object **slot(void) {
  KEPT(struct object, hidden);
  return &hidden;
}

static void add(int id) {
  struct object *o = malloc(sizeof(*o));
  if (o == NULL)
    return;
  o->id = id;
  o->kind = start.kind;
  if (id == 7)
    o->kind = &small;
  snprintf(o->name, room(o->name), "%d", id);
  if (id % 2) {
    o->next = first;
    first = latest = elsewhere = o;
  } else {
    o->next = *slot();
    *slot() = o;
  }
}

static void load(const char *path) {
  int id;
  FILE *f = fopen(path, "r");
  while (f && fscanf(f, "%d", &id) == 1)
    add(id);
  if (f)
    fclose(f);
}

static int command(int id) {
  add(id);
  return id;
}

int main(void) {
  int id;
  load("data");
  while (scanf("%d", &id) == 1 && command(id) != 0)
    ;
  printf("%d %d\n", first ? first->id : 0, *slot() ? (*slot())->id : 0);
  return 0;
}
