// Braces that an #if splits: what was compiled counts, as long as it is always
// the same part. The start-up section ends behind the whole statement, and the
// section is in the loop, whose last statement is in an #if.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c && echo 'ann 1' > state
// RUN: %nvmove --load load t.c > out
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: FileCheck %s --check-prefix=MOVED --input-file t.c
// RUN: gcc -I %runtime_include t.c %runtime_lib -o t
// RUN: echo 'bob 2 cid 3 die' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./t state
// RUN: echo 'all' | env NVM_POOL=%t/pool ./t gone | FileCheck %s --check-prefix=SAYS
// SAYS: sum 6
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct host {
  struct host *next;
  char name[16];
  int number;
};
static struct host *hosts;

static void add(const char *name, int number) {
  struct host *h = malloc(sizeof *h);
  snprintf(h->name, sizeof h->name, "%s", name);
  h->number = number;
  h->next = hosts;
  hosts = h;
}

static void load(FILE *f) {
  char name[16];
  int number;
  while (fscanf(f, "%15s %d", name, &number) == 2)
    add(name, number);
}

#ifdef ELSEWHERE
int run(int argc, char **argv) {
#else
int main(int argc, char **argv) {
#endif
  FILE *f = fopen(argv[argc - 1], "r");
  char name[16];
  int number, got;
#ifdef ELSEWHERE
  int dirty = 0;
#endif
  if (f != NULL) {
#ifndef ELSEWHERE
    if (argc > 5) {
      puts("too many");
    } else {
#endif
      load(f);
#ifndef ELSEWHERE
    }
#endif
    fclose(f);
  }
// MOVED: fclose(f);
// MOVED-NEXT: }
// MOVED-NEXT: nvm_restore();
// MOVED-NEXT: nvm_ready();
#ifdef ELSEWHERE
  while (dirty == 0) {
#else
  for (;;) {
#endif
    got = scanf("%15s", name);
    // MOVED: { NVM_SECTION();
    if (got != 1)
      return 0;
    if (strcmp(name, "all") == 0) {
      int sum = 0;
      for (struct host *h = hosts; h; h = h->next)
        sum += h->number;
      printf("sum %d\n", sum);
#ifdef ELSEWHERE
    } else {
      dirty = 1;
#endif
    }
    if (strcmp(name, "die") == 0)
      raise(SIGKILL);
#ifndef ELSEWHERE
    if (strcmp(name, "all") != 0 && scanf("%d", &number) == 1) {
      add(name, number);
      fflush(stdout);
    }
#endif
    // MOVED: #endif
    // MOVED-NEXT: }
    // MOVED: }
  }
}
