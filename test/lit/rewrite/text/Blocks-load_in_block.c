// The load stands under a condition, in a block that also holds the main loop:
// the start-up section ends behind the condition, before the loop. And what runs
// the main loop is never skipped together with the load.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --load load --out out t.c > log
// RUN: FileCheck %s --input-file log
// RUN: sh %S/../Inputs/apply out/patches %runtime_include t.c
// RUN: grep -v '^//' t.c | FileCheck %s --check-prefix=CODE
// RUN: gcc -I %runtime_include t.c %runtime_lib -o t
// RUN: printf 'abc\nbcd\n' > state
// RUN: printf 'new\n!\n' | not --crash env NVM_POOL=%t/pool NVM_SIZE=64M ./t state
// RUN: printf 'old\n!\n' | not --crash env NVM_POOL=%t/pool ./t gone
// RUN: env NVM_POOL=%t/pool ./t
// RUN: printf '?\n' | env NVM_POOL=%t/pool ./t state | FileCheck %s --check-prefix=OUT
// CHECK-NOT: load-condition
// CODE: if (daemonMode) {
// CODE-NEXT: if (argc > 1) {
// CODE-NEXT: if (NVM_LOAD_OR(load(argv[1]), -1, 0) < 0)
// CODE-NEXT: fprintf
// CODE-NEXT: }
// CODE-NEXT: nvm_restore();
// CODE-NEXT: nvm_ready();
// CODE-NEXT: serve();
// CODE: nvm_start();
// CODE-NOT: nvm_ready
// OUT: old new bcd abc
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
struct item { char name[32]; struct item *next; };
static struct item *all;
static int daemonMode;
static void add(const char *name) {
  struct item *it = calloc(1, sizeof *it);
  strncpy(it->name, name, 31);
  it->next = all;
  all = it;
}
static int load(const char *path) {
  char line[32];
  FILE *f = fopen(path, "r");
  if (!f)
    return -1;
  while (fscanf(f, "%31s", line) == 1)
    add(line);
  fclose(f);
  return 0;
}
static void serve(void) {
  char line[32];
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (line[0] == '!')
      raise(SIGKILL);
    if (line[0] == '?') {
      for (struct item *i = all; i; i = i->next)
        printf("%s ", i->name);
      continue;
    }
    add(line);
  }
}
static void run(int argc, char **argv) {
  if (daemonMode) {
    if (argc > 1) {
      if (load(argv[1]) < 0)
        fprintf(stderr, "none\n");
    }
    serve();
  } else {
    puts("once");
  }
}
int main(int argc, char **argv) {
  daemonMode = argc > 1;
  run(argc, argv);
  return 0;
}
