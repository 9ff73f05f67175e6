// Functions of the C library that write one object are announced where they
// are called: the size is that of what the argument points to.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load --section command app.c > out
// RUN: FileCheck %s --input-file out --implicit-check-not=unannounced-call
// OUT: 2 buffers announced
// RUN: cat nvmove-out/patches/*.patch | FileCheck %s --check-prefix=PATCH
// PATCH: {{^\+.*}}localtime_r(&now, NVM_BUF(&e->at, sizeof *(&e->at)));
// PATCH: {{^\+.*}}mktime(NVM_BUF(&e->at, sizeof *(&e->at)))
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: %nvmove verify --load load app.c | FileCheck %s --check-prefix=VERIFY
// VERIFY: all are announced
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'us' | env TZ=UTC NVM_POOL=%t/pool NVM_SIZE=32M ./app data > first 2> log
// RUN: printf 's' | env TZ=UTC NVM_POOL=%t/pool ./app > second 2>> log
// RUN: diff first second
// RUN: FileCheck %s --input-file second --check-prefix=STATE
// STATE: 1970-1-3

//--- data
1

//--- app.c
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct event {
  struct tm at;
  struct event *next;
};
static struct event *events;

static void load(const char *name) {
  FILE *in = fopen(name, "r");
  int day;
  while (in && fscanf(in, "%d", &day) == 1) {
    struct event *e = calloc(1, sizeof *e);
    time_t now = day * 86400;
    localtime_r(&now, &e->at);
    e->next = events;
    events = e;
  }
}

static void command(int c) {
  struct event *e = events;
  if (c == 'u') {
    e->at.tm_mday++;
    mktime(&e->at);
  }
}

int main(int argc, char **argv) {
  load(argc > 1 ? argv[1] : "/nowhere");
  for (int c; (c = getchar()) != EOF;) {
    command(c);
    if (c == 's' && events)
      printf("%d-%d-%d\n", events->at.tm_year + 1900, events->at.tm_mon + 1, events->at.tm_mday);
  }
  return 0;
}
