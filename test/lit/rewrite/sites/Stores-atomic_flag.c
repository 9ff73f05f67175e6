// A flag and counters of <stdatomic.h> are announced where they are used: the macro for the flag writes a member that only the compiler's header names.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s program.c && echo 3 > saved
// RUN: %nvmove --notes --load load program.c > out
// RUN: FileCheck %s --input-file out
// CHECK: nothing to act on, nothing to check
// RUN: cat nvmove-out/patches/*.patch | patch -p1
// RUN: grep NVM_OBJ program.c | FileCheck %s --check-prefix=TEXT
// TEXT: atomic_flag_clear(NVM_OBJ(&gate->busy));
// TEXT: if (atomic_flag_test_and_set(NVM_OBJ(&gate->busy)))
// TEXT: atomic_fetch_add(NVM_OBJ(&gate->passed), 1);
// RUN: %nvmove verify --load load program.c
// RUN: gcc -Wall -Wextra -Werror -I %runtime_include program.c %runtime_lib -o app
// RUN: clang-19 -Wall -Wextra -Werror -I %runtime_include program.c %runtime_lib -o app
// RUN: printf 'aax' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app
// RUN: printf 'a' | env NVM_POOL=%t/pool ./app | FileCheck %s --check-prefix=LOG
// LOG: busy 5

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct gate {
  atomic_int passed;
  atomic_flag busy;
};
static struct gate *gate;

static void load(const char *path) {
  FILE *file = fopen(path, "r");
  int passed = 0;
  if (!file || fscanf(file, "%d", &passed) != 1)
    exit(1);
  fclose(file);
  gate = malloc(sizeof *gate);
  atomic_init(&gate->passed, passed);
  atomic_flag_clear(&gate->busy);
}

int main(void) {
  int c;
  load("saved");
  while ((c = getchar()) != EOF) {
    if (c == 'x')
      raise(SIGKILL);
    if (atomic_flag_test_and_set(&gate->busy))
      printf("busy %d\n", atomic_load(&gate->passed));
    atomic_fetch_add(&gate->passed, 1);
  }
  return 0;
}
