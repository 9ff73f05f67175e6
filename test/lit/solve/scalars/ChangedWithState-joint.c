// Statics that handlers alone set. By themselves come back: a number beside one
// that does, in one record, which changes with it; a pointer to persistent objects
// that is cleared where they go. Others are asked about where they change together
// with the state, and listed where they do not: what is so by --keep comes back.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.c && printf 'l 7\ni 1\ni 2\n' > data
// RUN: %nvmove_act --notes --load load app.c > out
// RUN: FileCheck %s --input-file out --implicit-check-not=scratch --implicit-check-not='begun is' --implicit-check-not=crashed --implicit-check-not=reason
// CHECK:      2 roots
// CHECK-NEXT: current
// CHECK-NEXT: items
// CHECK:      2 restored scalars
// CHECK-NEXT: conf.limit
// CHECK-NEXT: conf.rate  changes with the record that it is in
// CHECK-DAG: lost-with-state {{.*}}added is changed by handlers, here together with persistent state
// CHECK-DAG: changed-with-state {{.*}}last is changed by handlers
// CHECK-DAG: lost-with-state {{.*}}undo is changed by handlers
// CHECK-DAG: changed-with-state {{.*}}history is changed by handlers
// CHECK-DAG: set-by-handlers {{.*}}mode is set only by handlers
// CHECK-DAG: set-by-handlers {{.*}}asked is set only by handlers
// CHECK-DAG: set-by-handlers {{.*}}shown is set only by handlers
// CHECK-DAG: set-by-handlers {{.*}}watches is set only by handlers
//
// RUN: %nvmove --load load --keep added,last,undo,history,n_history,mode,asked,shown --out two app.c > two.out
// RUN: FileCheck %s --input-file two.out --check-prefix=KEPT --implicit-check-not=with-state
// KEPT: undo {{.*}}a handler allocates it, and undo points to it
// KEPT: added {{.*}}is named with --keep, and changes at
// RUN: sh %S/../../rewrite/Inputs/apply two/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'a 3\na 4\nd 1\nu 2\nm 1\nr 6\np 0\nx 0\n' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: printf 'p 0\na 5\nd 2\np 0\n' | env NVM_POOL=%t/pool ./app >> log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG:      4 3 2 current 2 added 2 last 4 undo 4 3 history a4 a3 mode 1 asked 1 rate 6
// LOG-NEXT: 4 3 2 current 2 added 2 last 4 undo 4 3 history a4 a3 mode 1 asked 2 rate 6
// LOG-NEXT: 5 4 3 current 0 added 3 last 5 undo 5 4 3 history a5 a4 a3 mode 1 asked 3 rate 6
//
// RUN: cp %s app.c && %nvmove_act --load load --keep watches --out three app.c | FileCheck %s --check-prefix=CANNOT
// CANNOT: cannot-keep {{.*}}watches may point to what ends with the process
// RUN: %nvmove --load load --afresh added,last,undo,history,n_history --out five app.c | FileCheck %s --check-prefix=AFRESH --implicit-check-not=with-state
// AFRESH: nothing to check
// RUN: not %nvmove --load load --keep nothing --out four app.c 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: --keep: the program writes no static, or member of a static, named 'nothing'

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { struct item *next; int v; };
struct undo { struct undo *next; int v; };
struct watch { struct watch *next; int fd; };
static struct item *items, *current;
static struct { int limit; double rate; } conf;
static unsigned added, asked, begun, scratch;
static char last[16], reason[16], *history[4];
static int n_history, crashed;
static enum { CALM, LOUD } mode;
static struct undo *undo;
static struct watch *watches;

static void push(int v) {
  struct item *i = malloc(sizeof *i);
  i->v = v;
  i->next = items;
  items = i;
}
static void load(const char *name) {
  FILE *f = fopen(name, "r");
  char c;
  int v;
  while (f && fscanf(f, " %c %d", &c, &v) == 2)
    if (c == 'l')
      conf.limit = v;
    else
      push(v);
  if (f)
    fclose(f);
}
static void remember(int v) {
  struct undo *u = malloc(sizeof *u);
  u->v = v;
  u->next = undo;
  undo = u;
}
static void add(int v) {
  char text[16];
  ++added;
  scratch = 0;
  begun++;
  scratch += (unsigned)v;
  snprintf(last, sizeof last, "%d", v);
  snprintf(text, sizeof text, "a%d", v);
  if (n_history < 4)
    history[n_history++] = strdup(text);
  remember(v);
  push(v);
  snprintf(reason, sizeof reason, "added %d", v);
  printf("%.0d", scratch > 1000000);
}
static void drop(int v) {
  for (struct item **p = &items, *i; (i = *p); p = &i->next)
    if (i->v == v) {
      *p = i->next;
      if (current == i)
        current = NULL;
      free(i);
      return;
    }
}
static void use(int v) {
  current = items;
  while (current && current->v != v)
    current = current->next;
}
static void rate(int v) {
  conf.rate = v;
  conf.limit += v;
}
static void watch(void) {
  struct watch *w = malloc(sizeof *w);
  w->fd = open("data", O_RDONLY);
  w->next = watches;
  watches = w;
}
static void show(void) {
  static int shown;
  ++asked;
  if (++shown > 1000)
    return;
  for (struct item *i = items; i; i = i->next)
    printf("%d ", i->v);
  printf("current %d added %u last %s undo", current ? current->v : 0, added, last);
  for (struct undo *u = undo; u; u = u->next)
    printf(" %d", u->v);
  printf(" history");
  for (int k = n_history; k; k--)
    printf(" %s", history[k - 1]);
  printf(" mode %d asked %u rate %.0f%s\n", (int)mode, asked, conf.rate, begun > 1000 ? "!" : "");
  for (struct watch *w = watches; w; w = w->next)
    printf("%d\n", w->fd);
  fflush(stdout);
}
static void stop(void) {
  crashed += (int)strlen(last);
  fputs(reason, stderr);
  push(1);
  raise(SIGKILL);
  exit(1);
}
static void command(char c, int v) {
  switch (c) {
  case 'a': add(v); break;
  case 'd': drop(v); break;
  case 'u': use(v); break;
  case 'r': rate(v); break;
  case 'm': mode = v ? LOUD : CALM; break;
  case 'w': watch(); break;
  case 'p': show(); break;
  case 'x': stop(); break;
  }
}
int main(void) {
  char line[80], c;
  int v;
  begun = (unsigned)strlen("b");
  asked = 0;
  load("data");
  while (fgets(line, sizeof line, stdin))
    if (sscanf(line, "%c %d", &c, &v) == 2)
      command(c, v);
  return 0;
}
