// With --commit-at-output sections commit before the next output, and before the
// loop waits: what nobody has seen may be lost, and nothing else.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --commit-at-output --load load t.c > log && not grep commit-at-output log
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: grep -v '^//' t.c | FileCheck %s --check-prefix=CODE --implicit-check-not=NVM_WAIT
// RUN: %nvmove --commit-at-output --load load --force t.c | FileCheck %s --check-prefix=AGAIN
// RUN: %nvmove verify --commit-at-output --load load t.c
// RUN: gcc -Wall -Wextra -Werror -I %runtime_include t.c %runtime_lib -o t
// AGAIN: 0 files edited
//
// What comes by one read is handled in one turn of the loop, of which the last
// two characters are not seen; in the second run they are committed by the wait.
// RUN: printf aapaaX | env NVM_POOL=%t/pool NVM_SIZE=64M not --crash ./t > got
// RUN: printf p | env NVM_POOL=%t/pool ./t >> got
// RUN: sh -c '(printf aa; sleep 1; printf X) | env NVM_POOL=%t/pool ./t; printf p | env NVM_POOL=%t/pool ./t' >> got
// RUN: FileCheck %s --input-file got --check-prefix=GOT
// GOT: {{^}}2 2 4 {{$}}
//
// Where outputs are not known to be the program's own calls, they commit at their
// ends; functions of other libraries are named.
// RUN: %nvmove --commit-at-output --analyze-only --load load --out o1 %s -- -DREADS | FileCheck %s --check-prefix=READS
// RUN: %nvmove --commit-at-output --analyze-only --load load --out o2 %s -- -DSTREAM | FileCheck %s --check-prefix=STREAM
// RUN: %nvmove --commit-at-output --analyze-only --load load --out o3 %s -- -DLOOP | FileCheck %s --check-prefix=LOOP
// RUN: %nvmove --commit-at-output --analyze-only --load load --out o5 %s -- -DTHREAD | FileCheck %s --check-prefix=THREAD
// RUN: %nvmove --commit-at-output --load load --out o4 %s -- -DOTHER | FileCheck %s --check-prefix=OTHER
// RUN: grep -q 'NVM_WAIT(poll)' o4/patches/*
// READS: commit-at-output {{.*}}sections commit at their ends: the main loop waits by a read
// STREAM: commit-at-output {{.*}}sections commit at their ends: what fprintf() prints to this stream is written out when its buffer is full
// LOOP: commit-at-output {{.*}}sections commit at their ends: event_base_dispatch() runs the main loop
// THREAD: commit-at-output {{.*}}sections commit at their ends: what a thread prints with printf() is written out when its buffer is full
// OTHER: commit-at-output {{.*}}nothing is known of what other_send() of other libraries may output
//
// CODE: nvm_dprintf(1, "%d ", n)
// CODE: nvm_start();
// CODE-NEXT: nvm_commit_at_output();
// CODE: NVM_WAIT(poll)(&in, 1, -1)
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct item {
  struct item *next;
  int n;
};
static struct item *items;

static void add(int n) {
  struct item *i = malloc(sizeof *i);
  i->n = n;
  i->next = items;
  items = i;
}

void load(FILE *in) {
  for (int n; (n = getc(in)) != EOF;)
    add(n);
}

#ifdef OTHER
void other_send(struct item *i);
#endif
#ifdef LOOP
int event_base_dispatch(void *base);
#endif

static void print(FILE *to) {
  int n = 0;
  for (struct item *i = items; i; i = i->next)
    n++;
  (void)to;
#ifdef STREAM
  fprintf(to, "%d\n", n);
#elif defined(THREAD)
  printf("%d ", n);
#elif defined(OTHER)
  other_send(items);
#else
  dprintf(1, "%d ", n);
#endif
}

#ifdef THREAD
static void *tell(void *unused) {
  (void)unused;
  pause();
  print(NULL);
  return NULL;
}
#endif

static void handle(int c) {
  if (c == 'a')
    add(c);
  if (c == 'p')
    print(NULL);
  if (c == 'X')
    __builtin_trap();
}

int main(void) {
  FILE *in_file = fopen("state", "r");
  if (in_file) {
    load(in_file);
    fclose(in_file);
  }
#ifdef STREAM
  print(fdopen(1, "w"));
#endif
#ifdef THREAD
  pthread_t id;
  pthread_create(&id, NULL, tell, NULL);
#endif
#ifdef LOOP
  event_base_dispatch(NULL);
#endif
  for (;;) {
    char text[64];
#ifndef READS
    struct pollfd in = {0, POLLIN, 0};
    if (poll(&in, 1, -1) < 0)
      return 1;
#endif
    ssize_t n = read(0, text, sizeof text);
    if (n <= 0)
      return 0;
    for (ssize_t i = 0; i < n; i++)
      handle(text[i]);
  }
}
