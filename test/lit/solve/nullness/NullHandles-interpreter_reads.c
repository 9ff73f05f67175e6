// An interpreter reads the text of a program, vm_load(), and calls functions that
// it was handed; the void * that it gives is what it was handed with its handle
// till then, not a record that it has read. A parser that is handed no functions
// gives what it has read.
//
// RUN: %nvmove --load load --print types %s > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types %s -- -DPARSER > %t.parser
// RUN: FileCheck %s --input-file %t.parser --match-full-lines --implicit-check-not={{.}} --check-prefixes=CHECK,PARSER
// CHECK: item
// PARSER: note
#include <stdio.h>
#include <stdlib.h>

typedef struct vm vm;
extern vm *vm_new(void);
extern void vm_push(vm *v, const char *name, int (*fn)(vm *v));
extern void vm_set(vm *v, const char *name, void *value);
extern void *vm_get(vm *v, const char *name);
extern int vm_load(vm *v, const char *text);

struct item { struct item *next; int n; };
struct note { struct note *next; int n; };
struct engine { int calls; };
struct client { int fd; };
static struct item *items;
static struct note *notes;
static vm *machine;

static void tell(struct client *c) {
  struct note *note;
  if (!c)
    return;
  note = malloc(sizeof *note);
  note->n = c->fd;
  note->next = notes;
  notes = note;
}
static int on_call(vm *v) {
  tell(vm_get(v, "client"));
  return 0;
}
static void load(void) {
  char line[100], *text = line;
  FILE *f = fopen("state", "r");
  while (f && fgets(line, sizeof line, f)) {
    struct item *item = malloc(sizeof *item);
#ifdef PARSER
    item->n = vm_load(machine, line);
#else
    item->n = vm_load(machine, text);
#endif
    item->next = items;
    items = item;
#ifdef PARSER
    tell(vm_get(machine, "client"));
#endif
  }
}
int main(void) {
  static struct engine engine;
  int c;
  machine = vm_new();
#ifndef PARSER
  vm_set(machine, "engine", &engine);
  vm_push(machine, "call", on_call);
#endif
  load();
  while ((c = getchar()) != EOF) {
    struct client *client = malloc(sizeof *client);
    client->fd = c + engine.calls;
    vm_set(machine, "client", client);
    on_call(machine);
  }
  return 0;
}
