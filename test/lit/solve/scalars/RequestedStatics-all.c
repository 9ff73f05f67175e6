// With --keep-all the program goes on exactly where it was: numbers, flags,
// texts, tables of numbers and of records, records assigned as a whole, a list
// that only handlers make, and what start-up sets before. What ends with the
// process does not come back, nor what no root can be, which is told.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.c && printf '1 2 ' > data
// RUN: %nvmove --load load --keep-all app.c > out
// RUN: FileCheck %s --input-file out --implicit-check-not='descriptor ' --implicit-check-not=cannot-keep
// RUN: cp %s plain.c && gcc plain.c -o plain && sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'a3\nmquiet\nf\nu1\nc7\n?\na4\nu2\nc7\nf\nu3\n?\n' | ./plain > want
// RUN: printf 'a3\nmquiet\nf\nu1\nc7\n?\nx\n' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: printf 'a4\nu2\nx\n' | env NVM_POOL=%t/pool not --crash ./app >> log
// RUN: printf 'c7\nf\nu3\n?\n' | env NVM_POOL=%t/pool ./app >> log
// RUN: diff want log
// RUN: %nvmove --load load --keep-all --afresh loud --force app.c | FileCheck %s --check-prefix=AFRESH
// RUN: not %nvmove --load load --keep-all --force app.c -- -DMORE | FileCheck %s --check-prefix=MORE
//
// CHECK: 3 roots
// CHECK-NEXT: items
// CHECK-NEXT: per_kind
// CHECK-NEXT: undos
// CHECK: 7 restored scalars
// CHECK-NEXT: counts {{ *}}is restored by --keep-all
// CHECK-NEXT: depth
// CHECK-NEXT: flips
// CHECK-NEXT: last.at
// CHECK-NEXT: last.note
// CHECK-NEXT: loud
// CHECK-NEXT: mode
// CHECK: nothing to act on
// AFRESH: 6 restored scalars
// AFRESH-NOT: loud {{ *}}is restored
// MORE: cannot-keep {{.*}}bits.on is changed by handlers, and is a bit-field
// MORE: cannot-keep {{.*}}run is changed by handlers, and points to a function

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct item { struct item *next; int v; };
struct undo { struct undo *next; int v; };
struct look { int at; char note[8]; };
struct kind { int seen, sum; };
static struct item *items;
static struct undo *undos;
static struct look last;
static struct kind per_kind[4];
static int counts[8], loud = 1, flips, descriptor = -1, depth;
static char mode[12];
#ifdef MORE
static struct { unsigned on : 1; } bits;
static void quiet(void) {}
static void (*run)(void);
#endif

static void push(int v) {
  struct item *i = malloc(sizeof *i);
  i->v = v;
  i->next = items;
  items = i;
}
static void load(const char *name) {
  FILE *f = fopen(name, "r");
  int v;
  while (f && fscanf(f, "%d", &v) == 1)
    push(v);
  if (f)
    fclose(f);
}
static struct look looked(int at) {
  struct look l = {at, "at"};
  return l;
}
static void handle(const char *line) {
  int v = atoi(line + 1);
  if (line[0] == 'a') {
    struct undo *u = malloc(sizeof *u);
    u->v = v;
    u->next = undos;
    undos = u;
    push(v);
  } else if (line[0] == 'm') {
    snprintf(mode, sizeof mode, "%.8s", line + 1);
    depth++;
  } else if (line[0] == 'f') {
    loud = !loud;
    flips = 1;
    if (descriptor < 0)
      descriptor = open("/dev/null", O_RDONLY);
#ifdef MORE
    bits.on = !bits.on;
    run = quiet;
#endif
  } else if (line[0] == 'u') {
    last = looked(v);
    per_kind[v & 3].seen++;
    per_kind[v & 3].sum += v;
  } else if (line[0] == 'c') {
    counts[v & 7]++;
  } else {
    for (struct item *i = items; i; i = i->next)
      printf("%d ", i->v);
    for (struct undo *u = undos; u; u = u->next)
      printf("undo %d ", u->v);
    printf("%s %d %d %d %d %d/%d %s %d\n", last.note, last.at, counts[7], loud,
           flips, per_kind[3].seen, per_kind[3].sum, mode, depth);
#ifdef MORE
    printf("%d %d\n", bits.on, run == quiet);
#endif
    fflush(stdout);
  }
}
int main(void) {
  char line[64];
  depth = (int)sizeof line;
  load("data");
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (line[0] == 'x')
      raise(SIGKILL);
    handle(line);
  }
  return 0;
}
