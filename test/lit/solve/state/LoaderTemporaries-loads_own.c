// The load keeps lists of its own, and frees what is in them: files that it has
// open, macros. What is left of them when it has ended nobody looks at, so they
// are no part of the state, though their heads are static.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load --print types parser.c main.c -- -std=gnu11 > none
// RUN: FileCheck %s --input-file none --match-full-lines --implicit-check-not={{.}}
// Some other code looks there: by name, ..
// RUN: %nvmove --load load --print types parser.c main.c -- -std=gnu11 -DNAMED > named
// RUN: FileCheck %s --input-file named --match-full-lines --check-prefix=MACROS
// RUN: %nvmove --load load --print types parser.c main.c -- -std=gnu11 -DTESTED > tested
// RUN: FileCheck %s --input-file tested --match-full-lines --check-prefix=MACROS
// RUN: %nvmove --load load --print types parser.c main.c -- -std=gnu11 -DCOMPARED > compared
// RUN: FileCheck %s --input-file compared --match-full-lines --check-prefix=FILES
// (The name of a pointer that is compared leaves no trace, so those that other
// files may name stay.)
// .. through a pointer that the load has stored, or in a handler of a signal.
// RUN: %nvmove --load load --print types parser.c main.c -- -std=gnu11 -DADDRESS > address
// RUN: FileCheck %s --input-file address --match-full-lines --check-prefix=MACROS
// RUN: %nvmove --load load --print types parser.c main.c -- -std=gnu11 -DSIGNAL > signal
// RUN: FileCheck %s --input-file signal --match-full-lines --check-prefix=MACROS
// Or in what start-up hands to qsort() after the load.
// RUN: %nvmove --load load --print types parser.c main.c -- -std=gnu11 -DSORTED > sorted
// RUN: FileCheck %s --input-file sorted --match-full-lines --check-prefix=MACROS
// Or it may, being unknown.
// RUN: %nvmove --load load --print types parser.c main.c -- -std=gnu11 -DUNKNOWN > unknown
// RUN: FileCheck %s --input-file unknown --match-full-lines --check-prefix=MACROS
// The load may run again: in the loop, at once, or in a function that something
// else calls.
// RUN: %nvmove --load load --print types parser.c main.c -- -std=gnu11 -DAGAIN > again
// RUN: FileCheck %s --input-file again --match-full-lines --check-prefix=MACROS
// RUN: %nvmove --load load --print types parser.c main.c -- -std=gnu11 -DTWICE > twice
// RUN: FileCheck %s --input-file twice --match-full-lines --check-prefix=MACROS
// What hangs from elsewhere, too, stays.
// RUN: %nvmove --load load --print types parser.c main.c -- -std=gnu11 -DSHARED > shared
// RUN: FileCheck %s --input-file shared --match-full-lines --check-prefix=SHARED
//
// CHECK: item
// MACROS-DAG: macro
// MACROS-DAG: macros
// FILES: file
// SHARED: item
// SHARED-NEXT: macro
//--- state.h
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

struct macro { TAILQ_ENTRY(macro) entry; int used, persist; char name[16]; };
struct item { struct item *next; char name[16];
#ifdef ADDRESS
  struct macros *from;
#elif defined SHARED
  struct macro *from;
#endif
};
TAILQ_HEAD(macros, macro);
extern struct macros macros;
extern struct item *items;
#ifdef COMPARED
extern struct file *top;
#endif
void load(const char *), define(const char *, int);
//--- parser.c
#include "state.h"
struct file { FILE *in; struct file *including; };
struct macros macros = TAILQ_HEAD_INITIALIZER(macros);
#ifndef COMPARED
static
#endif
struct file *top;
struct item *items;

static struct macro *find(const char *name) {
  struct macro *m;
  TAILQ_FOREACH(m, &macros, entry)
    if (strcmp(m->name, name) == 0)
      return m;
  return NULL;
}
void define(const char *name, int persist) {
  struct macro *m = find(name);
  if (m) {
    if (m->persist)
      return;
    TAILQ_REMOVE(&macros, m, entry);
    free(m);
  }
  m = calloc(1, sizeof *m);
  strncpy(m->name, name, 15);
  m->persist = persist;
  TAILQ_INSERT_TAIL(&macros, m, entry);
}
static int push(const char *name) {
  struct file *f = malloc(sizeof *f);
  f->in = fopen(name, "r");
  f->including = top;
  top = f;
  return f->in != NULL;
}
static void pop(void) {
  struct file *f = top;
  top = f->including;
  fclose(f->in);
  free(f);
}
void load(const char *name) {
  char word[16];
  struct macro *m, *next;
  if (!push(name))
    return;
  while (top) {
    if (fscanf(top->in, "%15s", word) != 1) {
      pop();
    } else if (word[0] == '<') {
      if (!push(word + 1))
        pop();
    } else if (word[0] == '=') {
      define(word + 1, 0);
    } else {
      struct item *i = calloc(1, sizeof *i);
      strcpy(i->name, word);
#ifdef ADDRESS
      i->from = &macros;
#elif defined SHARED
      i->from = find(word);
#endif
      i->next = items;
      items = i;
    }
  }
  for (m = TAILQ_FIRST(&macros); m; m = next) {
    next = TAILQ_NEXT(m, entry);
    if (!m->persist) {
      TAILQ_REMOVE(&macros, m, entry);
      free(m);
    }
  }
}
//--- main.c
#include "state.h"
#ifdef SIGNAL
static void handler(int n) { define("signal", n); }
#endif
#ifdef UNKNOWN
void something(void);
#endif
#ifdef SORTED
static int compare(const void *a, const void *b) {
  return TAILQ_EMPTY(&macros) ? 0 : *(const int *)a - *(const int *)b;
}
#endif
int main(int argc, char **argv) {
  struct pollfd fd = {.fd = 0, .events = POLLIN};
  for (int i = 1; i < argc; i++) // each start does that
    define(argv[i], 1);
#ifdef SIGNAL
  signal(SIGUSR1, handler);
#endif
  load("state");
#ifdef TWICE
  load("more");
#endif
#ifdef SORTED
  int numbers[8] = {argc};
  qsort(numbers, 8, sizeof *numbers, compare);
#endif
#ifdef COMPARED
  struct file *other = (struct file *)argv[0];
  if (top != other)
    puts("more");
#endif
  for (;;) {
    poll(&fd, 1, -1);
#ifdef UNKNOWN
    something();
#endif
#ifdef AGAIN
    load("more");
#endif
#ifdef NAMED
    define("named", 0);
#endif
#ifdef TESTED
    if (TAILQ_EMPTY(&macros))
      puts("none");
#endif
    for (struct item *i = items; i; i = i->next) {
      puts(i->name);
#ifdef ADDRESS
      if (TAILQ_FIRST(i->from))
        puts("some");
#elif defined SHARED
      if (i->from)
        puts(i->from->name);
#endif
    }
  }
}
