// main hands the function with the main loop to another that calls it, through
// which the load goes, too: that is no dispatcher.
//
// RUN: %nvmove --print types --load load %s | FileCheck %s
// RUN: %nvmove --print roots --load load %s | FileCheck %s --check-prefix=ROOT
// CHECK-DAG: {{^var$}}
// CHECK-DAG: {{^proto$}}
// ROOT: S->protos
#include <stdio.h>
#include <stdlib.h>
struct var { struct var *next; int value; };
struct proto { struct proto *next; struct var *vars; };
struct state { struct proto *protos; int depth; };
typedef int (*fn)(struct state *, void *);
struct closer { struct closer *next; fn f; };
static struct closer *closers;
static int call_it(struct state *s, fn f, void *context) {
  s->depth++;
  int status = f(s, context);
  s->depth--;
  return status;
}
static void close_all(struct state *s) {
  struct closer *c;
  while ((c = closers)) {
    closers = c->next;
    call_it(s, c->f, c);
  }
}
static int protect(struct state *s, fn f, void *context) {
  int status = call_it(s, f, context);
  if (status)
    close_all(s);
  return status;
}
static int parse(struct state *s, void *in) {
  struct proto *p = calloc(1, sizeof *p);
  int n;
  while (fscanf((FILE *)in, "%d", &n) == 1) {
    struct var *v = malloc(sizeof *v);
    v->value = n;
    v->next = p->vars;
    p->vars = v;
  }
  p->next = s->protos;
  s->protos = p;
  return 0;
}
static int load(struct state *s, const char *name) {
  FILE *f = fopen(name, "r");
  return f ? protect(s, parse, f) : 1;
}
static int command(struct state *s, void *line) {
  s->protos->vars->value += atoi(line);
  return 0;
}
static int run(struct state *s, void *name) {
  char line[80];
  load(s, name);
  while (fgets(line, sizeof line, stdin))
    if (protect(s, command, line))
      puts("error");
  return 0;
}
static struct state *S;
int main(int argc, char **argv) {
  S = calloc(1, sizeof *S);
  return protect(S, run, argv[argc - 1]);
}
