// Whatever leaves the process from a handler leaves after what it says is
// durable: by a form of the runtime or, where there is none, by NVM_OUTPUT(). A log
// goes out as it did.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --notes --load load t.c > log
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: grep -v '^//' t.c | FileCheck %s --check-prefix=CODE --implicit-check-not=NVM_OUTPUT
// RUN: %nvmove --notes --load load --force t.c | FileCheck %s --check-prefix=AGAIN
// RUN: gcc -Wall -Wextra -Werror -I %runtime_include t.c %runtime_lib -o t
// AGAIN: 0 files edited
//
// Each way is the last thing that a program does: what it said is in the pool.
// RUN: sh -c 'for way in d w s x k; do rm -f pool; printf "a${way}" | env NVM_POOL=%t/pool NVM_SIZE=64M ./t; printf p | env NVM_POOL=%t/pool ./t; done' > got
// RUN: FileCheck %s --input-file got --check-prefix=GOT
// GOT: {{^}}d1 1 w1 1 s1 1 1 k1 1 {{$}}
//
// CODE: static void say(const char *text) { nvm_dprintf(1, "%s", text); }
// CODE: fprintf(stderr
// CODE: NVM_OUTPUT(syscall)(SYS_write
// CODE: NVM_OUTPUT(system)("printf 's1 '")
// CODE: NVM_OUTPUT(_exit)(0);
// CODE: NVM_OUTPUT(kill)(getpid(), SIGUSR1);
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
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

static void say(const char *text) { dprintf(1, "%s", text); }
static void on_signal(int number) {
  (void)number;
  (void)!write(1, "k1 ", 3);
  raise(SIGKILL);
}

static void print(void) {
  int n = 0;
  for (struct item *i = items; i; i = i->next)
    n++;
  char text[32];
  snprintf(text, sizeof text, "%d ", n);
  say(text);
}

static void handle(int c) {
  switch (c) {
  case 'a':
    fprintf(stderr, "%c\n", c);
    break;
  case 'd':
    add(c);
    say("d1 ");
    raise(SIGKILL);
    break;
  case 'w':
    add(c);
    if (syscall(SYS_write, 1, "w1 ", 3) < 0)
      exit(1);
    raise(SIGKILL);
    break;
  case 's':
    add(c);
    if (system("printf 's1 '") < 0)
      exit(1);
    raise(SIGKILL);
    break;
  case 'x':
    add(c);
    _exit(0);
  case 'k':
    add(c);
    kill(getpid(), SIGUSR1);
    break;
  case 'p':
    print();
    break;
  }
}

int main(void) {
  FILE *in = fopen("state", "r");
  signal(SIGUSR1, on_signal);
  if (in) {
    load(in);
    fclose(in);
  }
  char c;
  while (read(0, &c, 1) == 1)
    handle(c);
  return 0;
}
