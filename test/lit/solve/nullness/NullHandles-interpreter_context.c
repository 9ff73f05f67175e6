// A callback of an interpreter asks for the context that it was given for
// requests; while loading it has none. With -DBEFORE it was given one before.
//
// RUN: cd %S && %nvmove --load load --print types NullHandles-interpreter_context.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types NullHandles-interpreter_context.c -- -std=gnu99 -DBEFORE > %t.before
// RUN: FileCheck %s --input-file %t.before --match-full-lines --check-prefix=REPLY
//
// CHECK: library
// REPLY: reply

#include <stdlib.h>

struct interpreter;
struct interpreter *make_interpreter(void);
void define(struct interpreter *in, const char *name, int (*f)(struct interpreter *));
void keep(struct interpreter *in, const char *name, void *pointer);
void *kept(struct interpreter *in, const char *name);
int run(struct interpreter *in, const char *code);
int wait_for_request(void);

struct request { int id; };
struct reply { int id; struct reply *next; };
struct library { int size; };
static struct library *current;
static struct reply *replies;
static struct interpreter *in;

static void remember(const char *name, void *pointer) { keep(in, name, pointer); }
static int answer(struct interpreter *in) {
  struct request *r = kept(in, "request");
  if (!r)
    return -1;
  struct reply *x = malloc(sizeof *x);
  x->id = r->id;
  x->next = replies;
  replies = x;
  return 0;
}
void load(const char *code) {
  struct library *l = malloc(sizeof *l);
  l->size = run(in, code);
  remember("library", l);
  current = l;
}
int main(int argc, char **argv) {
  struct request r = {0};
  in = make_interpreter();
  define(in, "answer", answer);
#ifdef BEFORE
  remember("request", &r);
#endif
  load(argv[1]);
  while ((r.id = wait_for_request()) >= 0) {
    remember("request", &r);
    run(in, argv[1]);
  }
  return current->size;
}
