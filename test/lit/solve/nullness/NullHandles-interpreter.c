// The state is a program of an interpreter that this program knows by its handle
// alone: what the interpreter was given before, it calls and gives back.
//
// RUN: cd %S && %nvmove --load load --print types NullHandles-interpreter.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
//
// CHECK: library
// CHECK-NEXT: entry

#include <stdlib.h>

struct interpreter;
struct interpreter *make_interpreter(void);
void define(struct interpreter *in, const char *name, int (*f)(struct interpreter *));
void keep(struct interpreter *in, void *pointer);
void *kept(struct interpreter *in);
const char *argument(struct interpreter *in);
int run(struct interpreter *in, const char *code);

struct entry { const char *name; struct entry *next; };
struct library { struct entry *entries; };
static struct library *current;
static struct interpreter *in;

static int define_entry(struct interpreter *in) {
  struct library *l = kept(in);
  struct entry *e = malloc(sizeof *e);
  e->name = argument(in);
  e->next = l->entries;
  l->entries = e;
  return 0;
}
void load(const char *code) {
  struct library *l = malloc(sizeof *l);
  l->entries = NULL;
  keep(in, l);
  run(in, code);
  current = l;
}
int main(int argc, char **argv) {
  in = make_interpreter();
  define(in, "entry", define_entry);
  load(argv[1]);
  return current->entries != NULL;
}
