// Macros of system headers that store: no patch can edit the header, so each file that uses them defines them anew, with the stores announced, behind its last
// #include and where all uses see it.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load program.c > out
// RUN: FileCheck %s --input-file out --implicit-check-not=uneditable
// CHECK: 3 macros of system headers redefined
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c --check-prefix=TEXT
// TEXT:      #include "index.h"
// TEXT-NEXT: #ifdef LOG
// TEXT-NEXT: #include <syslog.h>
// TEXT-NEXT: #endif
// TEXT-NEXT: /* From <sys/queue.h>, for the persistent heap. */
// TEXT-NEXT: #undef TAILQ_INSERT_TAIL
// TEXT-NEXT: #define{{[[:space:]]}}TAILQ_INSERT_TAIL(head, elm, field) do {
// TEXT:      NVM((elm)->field.tqe_next) = NULL;
// TEXT:      NVM(*(head)->tqh_last) = (elm);
// TEXT:      #undef TAILQ_REMOVE
// TEXT-NOT:  #undef
// RUN: FileCheck %s --input-file index.h --check-prefix=HEADER
// HEADER:      #include <sys/queue.h>
// HEADER-NEXT: /* From <sys/queue.h>, for the persistent heap. */
// HEADER-NEXT: #undef LIST_INSERT_HEAD
// HEADER-NOT:  #undef
// RUN: %nvmove --load load --out again program.c > out
// RUN: not ls again/patches
// RUN: %nvmove verify --load load program.c
// RUN: gcc -Wall -Werror -I %runtime_include program.c %runtime_lib -o app
// RUN: gcc -Wall -Werror -DLOG -I %runtime_include program.c %runtime_lib -o app
// RUN: printf '+d\n+e\n-b\n+f\n-e\nx\n' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: printf '+g\n-c\n' | env NVM_POOL=%t/pool ./app > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG:      a c d f g
// LOG-NEXT: a d f g

//--- index.h
#ifndef INDEX_H
#define INDEX_H
#include <stddef.h>
#include <sys/queue.h>
struct item {
  TAILQ_ENTRY(item) order;
  LIST_ENTRY(item) same;
  char name;
};
TAILQ_HEAD(items, item);
LIST_HEAD(bucket, item);
extern struct bucket buckets[4];
static inline void enter(struct item *i) {
  LIST_INSERT_HEAD(&buckets[i->name % 4], i, same);
}
#endif

//--- program.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include "index.h"
#ifdef LOG
#include <syslog.h>
#endif

static struct items items = TAILQ_HEAD_INITIALIZER(items);
struct bucket buckets[4];

#ifdef LOG
static void say(struct item *i) { syslog(LOG_INFO, "%c", i->name); }
#endif

static void add(char name) {
  struct item *i = malloc(sizeof *i);
  if (!i)
    abort();
  i->name = name;
  TAILQ_INSERT_TAIL(&items, i, order);
  enter(i);
#ifdef LOG
  say(i);
#endif
}

static void drop(char name) {
  struct item *i;
  LIST_FOREACH(i, &buckets[name % 4], same)
    if (i->name == name)
      break;
  if (!i)
    return;
  TAILQ_REMOVE(&items, i, order);
  if (i->same.le_next)
    i->same.le_next->same.le_prev = i->same.le_prev;
  *i->same.le_prev = i->same.le_next;
  free(i);
}

static void load(const char *path) {
  FILE *file = fopen(path, "r");
  int c;
  if (!file)
    return;
  while ((c = getc(file)) > ' ')
    add((char)c);
  fclose(file);
}

int main(void) {
  char line[16];
  struct item *i;
  load("saved");
  while (fgets(line, sizeof line, stdin)) {
    if (line[0] == '+')
      add(line[1]);
    else if (line[0] == '-')
      drop(line[1]);
    else
      raise(SIGKILL);
    TAILQ_FOREACH(i, &items, order)
      printf("%c ", i->name);
    printf("\n");
  }
  return 0;
}

//--- saved
abc
