// What hangs from a pointer variable of main, or of the function that goes on
// to compute with what it has loaded, stays.
//
// RUN: cd %S
// RUN: %nvmove --load load --print types MainLocals-main_local.c -- -std=gnu99 -DRESULT > %t.RESULT
// RUN: %nvmove --load load --print types MainLocals-main_local.c -- -std=gnu99 -DARGUMENT > %t.ARGUMENT
// RUN: %nvmove --load load --print types MainLocals-main_local.c -- -std=gnu99 -DFIELD > %t.FIELD
// RUN: %nvmove --load load --print types MainLocals-main_local.c -- -std=gnu99 -DDEEPER > %t.DEEPER
// RUN: FileCheck %s --input-file %t.RESULT --match-full-lines --implicit-check-not={{.}}
// RUN: FileCheck %s --input-file %t.ARGUMENT --match-full-lines --implicit-check-not={{.}}
// RUN: FileCheck %s --input-file %t.FIELD --match-full-lines --implicit-check-not={{.}} --check-prefix=CELL
// RUN: FileCheck %s --input-file %t.DEEPER --match-full-lines --implicit-check-not={{.}}
// CHECK-DAG: cell
// CHECK-DAG: grid
// CELL: cell
//
// A local of a function that is left after the load does not: all that is known
// is that the load gave it back.
// RUN: %nvmove --load load --print types MainLocals-main_local.c -- -std=gnu99 -DGONE 2> %t.err > %t.GONE
// RUN: FileCheck %s --input-file %t.GONE --match-full-lines --implicit-check-not={{.}}
// RUN: FileCheck %s --input-file %t.err --check-prefix=GONE
// GONE: warning: nothing that load creates is reachable from static memory or a variable of main {{.*}} [callers-keep]

#include <stdio.h>
#include <stdlib.h>

struct cell { int v; struct cell *next; };
struct grid { struct cell *cells; };

static void fill(struct grid *g, FILE *in) {
  for (int v; (v = getc(in)) != EOF;) {
    struct cell *c = malloc(sizeof *c);
    c->v = v;
    c->next = g->cells;
    g->cells = c;
  }
}
#ifdef FIELD
static void load(struct grid *g, FILE *in) {
  for (int i = 0; i < 16; i++)
    g->cells[i].v = getc(in);
}
#elif defined ARGUMENT
static void load(struct grid *g, FILE *in) { fill(g, in); }
#else
static struct grid *load(FILE *in) {
  struct grid *g = calloc(1, sizeof *g);
  fill(g, in);
  return g;
}
#endif
static int use(struct grid *g) { return g->cells ? g->cells->v++ : 0; }

#if defined DEEPER
static void simulate(void) {
  struct grid *g = load(stdin);
  for (int i = 0; i < 10; i++)
    use(g);
}
int main(void) { simulate(); }
#elif defined GONE
static int peek(void) {
  struct grid *g = load(stdin);
  return use(g);
}
int main(void) { return peek(); }
#else
int main(void) {
#ifdef RESULT
  struct grid *g = load(stdin);
#else
  struct grid *g = calloc(1, sizeof *g);
  g->cells = calloc(16, sizeof *g->cells);
  load(g, stdin);
#endif
  return use(g);
}
#endif
