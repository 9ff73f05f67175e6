// The commands change nothing but roots and scalars, which a section's end
// keeps: they are sections.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --notes --load load program.c > out
// RUN: not grep no-sections out
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c
// CHECK: { nvm_begin(); command(c); nvm_end(); }
// RUN: gcc -I %runtime_include program.c %runtime_lib -o app
// RUN: printf '12' > data
// RUN: printf 'nx' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app
// RUN: env NVM_POOL=%t/pool ./app < /dev/null | FileCheck %s --check-prefix=AGAIN
// AGAIN: 49 of 1
//
// Where they change nothing at all, it is not the loop that is missing.
// RUN: %nvmove_act --notes --load load --force idle.c | FileCheck %s --check-prefix=IDLE
// IDLE: no-sections the loop that waits for input has no call that changes persistent state and could be a section (in main)

//--- program.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct item {
  struct item *next;
  int n;
};
static struct item *items;
static int count;

static void load(void) {
  int c;
  FILE *f = fopen("data", "r");
  if (!f)
    return;
  while ((c = fgetc(f)) != EOF) {
    struct item *i = calloc(1, sizeof *i);
    if (!i)
      abort();
    i->n = c;
    i->next = items;
    items = i;
    count++;
  }
  fclose(f);
}
static void command(int c) {
  if (c == 'x')
    kill(getpid(), SIGKILL);
  if (items) {
    items = items->next;
    count--;
  }
}
int main(void) {
  int c;
  load();
  while ((c = getchar()) != EOF)
    command(c);
  for (struct item *i = items; i; i = i->next)
    printf("%d of %d\n", i->n, count);
  return 0;
}

//--- idle.c
#include <stdio.h>
#include <stdlib.h>

static int *number;

static void load(void) {
  FILE *f = fopen("data", "r");
  if (!f)
    return;
  number = calloc(1, sizeof *number);
  if (number)
    *number = fgetc(f);
  fclose(f);
}
static void command(void) { printf("%d\n", number ? *number : 0); }
int main(void) {
  load();
  while (getchar() != EOF)
    command();
  return 0;
}
