// An array of records is a root as a whole. What dlsym() gives is of one process:
// it is as start-up leaves it, null, and the program asks again.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --load load --out out t.c > log
// RUN: sh %S/../Inputs/apply out/patches %runtime_include t.c
// RUN: FileCheck %s --input-file t.c
// RUN: %nvmove --force --load load --out again t.c --extra-arg=-I%runtime_include | FileCheck %s --check-prefix=AGAIN
// RUN: gcc -Wall -Werror -fPIE -pie -I %runtime_include t.c %runtime_lib -lpthread -ldl -o t
// RUN: printf '1 2 3\n' > items
// RUN: env NVM_POOL=%t/pool NVM_SIZE=64M ./t < /dev/null
// RUN: env NVM_POOL=%t/pool ./t < /dev/null | FileCheck %s --check-prefix=KEPT
// CHECK: NVM_ROOT(items);
// CHECK-NEXT: NVM_ENDING(items, items[0], plug);
// AGAIN: 0 patches
// KEPT: 1 2 3
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item {
  int id;
  void *plug;
};
static struct item items[4];
static int n;
static void add(int id) {
  if (n < 4)
    items[n++].id = -id;
}
static void load(FILE *in) {
  int id;
  while (fscanf(in, "%d", &id) == 1)
    add(id);
}
static int show(struct item *i) {
  int (*fn)(int);
  if (!i->plug)
    i->plug = dlsym(RTLD_DEFAULT, "abs");
  memcpy(&fn, &i->plug, sizeof fn);
  return fn(i->id);
}
int main(void) {
  char line[80];
  FILE *in = fopen("items", "r");
  if (in) {
    load(in);
    fclose(in);
  }
  for (int k = 0; k < n; k++)
    printf("%d ", show(&items[k]));
  while (fgets(line, sizeof line, stdin))
    add(atoi(line));
}
