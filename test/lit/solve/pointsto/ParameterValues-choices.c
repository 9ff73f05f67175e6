// What a local holds that is only given constants, and bits of constants, is
// one of few values: what the load does for others is not done. The load gets
// what its callers on the way from main pass.
//
// RUN: cd %S && %nvmove --load load --print types ParameterValues-choices.c > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types ParameterValues-choices.c -- -DNOTES > %t.notes
// RUN: FileCheck %s --input-file %t.notes --match-full-lines --check-prefix=NOTES
// RUN: %nvmove --load load --print types ParameterValues-choices.c -- -DTAKES_ADDRESS > %t.address
// RUN: FileCheck %s --input-file %t.address --match-full-lines --check-prefix=NOTES
// RUN: %nvmove --load load --print types ParameterValues-choices.c -- -DADDS_BITS > %t.bits
// RUN: FileCheck %s --input-file %t.bits --match-full-lines --check-prefix=NOTES
// RUN: %nvmove --load load --print types ParameterValues-choices.c -- -DTHREAD > %t.thread
// RUN: FileCheck %s --input-file %t.thread --match-full-lines --check-prefix=NOTES
// RUN: %nvmove --load load --print types ParameterValues-choices.c -- -DHANDLER > %t.handler
// RUN: FileCheck %s --input-file %t.handler --match-full-lines --check-prefix=NOTES
// RUN: %nvmove --load load --print types ParameterValues-choices.c -- -DCALLBACK > %t.callback
// RUN: FileCheck %s --input-file %t.callback --match-full-lines --check-prefix=NOTES
// RUN: %nvmove --load load --print types ParameterValues-choices.c -- -DTABLE > %t.table
// RUN: FileCheck %s --input-file %t.table --match-full-lines --check-prefix=NOTES
// RUN: %nvmove --load load --print types ParameterValues-choices.c -- -DHANDED > %t.handed
// RUN: FileCheck %s --input-file %t.handed --match-full-lines --check-prefix=NOTES
//
// CHECK: item
// NOTES: note

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLAIN = 0, FEED = 1, CHECK_ALL = 2, NOTE = 4 };
struct item { int v; struct item *next; };
struct note { int v; struct note *next; };
static struct item *items;
static struct note *notes;
static int quick, more;

static void set(int *flags) { *flags = NOTE; }
static void note(int v) {
  struct note *n = malloc(sizeof *n);
  n->v = v;
  n->next = notes;
  notes = n;
}
static void read_all(FILE *f, int flags) {
  int v;
  while (fscanf(f, "%d", &v) == 1) {
    struct item *i = malloc(sizeof *i);
    i->v = v;
    i->next = items;
    items = i;
    if (flags & NOTE)
      note(v);
  }
}
void load(FILE *f, int flags) {
  int own = quick ? FEED : PLAIN;
  if (flags & FEED)
    own |= CHECK_ALL;
  read_all(f, flags);
  read_all(f, own);
}
static void *worker(void *p) {
  load(stdin, NOTE);
  return p;
}
static void handler(int n) { load(stdin, NOTE); }
static int compare(const void *a, const void *b) {
  load(stdin, NOTE);
  return a < b;
}
static void (*const loads[])(FILE *, int) = {load, load};
static void again(void) { load(stdin, NOTE); }
int main(void) {
  struct pollfd p = {0, POLLIN, 0};
  int flags = PLAIN;
  quick = getenv("QUICK") != NULL;
  if (quick)
    flags |= FEED;
#ifdef NOTES
  if (getenv("NOTES"))
    flags |= NOTE;
#endif
#ifdef TAKES_ADDRESS
  set(&flags);
#endif
#ifdef ADDS_BITS
  flags |= atoi(getenv("FLAGS"));
#endif
#ifdef THREAD
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
#endif
#ifdef HANDED
  pthread_t t;
  pthread_create(&t, NULL, (void *(*)(void *))load, stdin);
#endif
#ifdef HANDLER
  signal(SIGUSR1, handler);
#endif
#ifdef CALLBACK
  int two[2] = {2, 1};
  qsort(two, 2, sizeof *two, compare);
#endif
#ifdef TABLE
  loads[quick](stdin, NOTE);
#endif
  load(stdin, flags);
  while (poll(&p, 1, -1) >= 0)
    again();
}
