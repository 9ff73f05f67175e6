// A child that the program forks to save its state frees its copy and ends: it
// is a child's end, and nothing is detached. So it is where a function of the
// program forks, and where one runs in the child alone. A command that ends the
// program in the main loop is detached there, not before the loop.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --notes --load load t.c > log
// RUN: FileCheck %s --input-file log --implicit-check-not=at-exit
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: grep -v '^//' t.c | FileCheck %s --check-prefix=CODE --implicit-check-not=nvm_detach
// RUN: %nvmove --notes --load load --force t.c | FileCheck %s --check-prefix=AGAIN
// RUN: gcc -I %runtime_include t.c %runtime_lib -o t
// RUN: printf 'absdS' | env NVM_POOL=%t/pool NVM_SIZE=64M ./t
// RUN: printf 'ep' | env NVM_POOL=%t/pool ./t > second
// RUN: FileCheck %s --input-file second --check-prefix=SECOND
// RUN: printf 'q' | env NVM_POOL=%t/pool ./t
// RUN: printf 'p' | env NVM_POOL=%t/pool ./t > third
// RUN: FileCheck %s --input-file third --check-prefix=SECOND
// CHECK: t.c:[[#@LINE+77]]:{{.*}} detached-at-exit {{.*}}main continues to the end of the program here
// CODE: case 'q':
// CODE-NEXT: { nvm_detach(); free_items(); }
// AGAIN: 0 files edited
// SECOND: edba
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
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

static void print(FILE *out) {
  for (struct item *i = items; i; i = i->next)
    putc(i->n, out);
}

static void free_items(void) {
  while (items) {
    struct item *next = items->next;
    free(items);
    items = next;
  }
}

static pid_t start(void) {
  pid_t child = fork();
  if (child < 0)
    perror("fork");
  return child;
}

static void run_child(void) {
  free_items();
  exit(0);
}

int main(void) {
  FILE *in = fopen("state", "r");
  if (in) {
    load(in);
    fclose(in);
  }
  int c;
  while ((c = getchar()) != EOF) {
    pid_t child;
    switch (c) {
    case 's':
      if ((child = fork()) == 0) {
        free_items();
        exit(0);
      }
      waitpid(child, NULL, 0);
      break;
    case 'S':
      child = start();
      if (child == 0)
        run_child();
      waitpid(child, NULL, 0);
      break;
    case 'q':
      free_items();
      exit(0);
    case 'p':
      print(stdout);
      fflush(stdout);
      break;
    default:
      add(c);
    }
  }
  return 0;
}
