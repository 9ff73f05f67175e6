// A few bytes that only start-up writes are settled, too, in a program that waits
// for nothing as well. They are not where a thread, or what a pointer calls, comes
// to a function that writes them, or where they are written behind the load.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.c && printf '5 7 ' > data
// RUN: %nvmove_act --load load --section work --keep one app.c > out
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: grep -v '^//' app.c | FileCheck %s --implicit-check-not=NVM_SETTLED
// CHECK-DAG: NVM_ROOT_POINTERS(by_pointer);
// CHECK-DAG: NVM_ROOT_POINTERS(by_thread);
// CHECK-DAG: NVM_ROOT_POINTERS(behind);
// CHECK-DAG: NVM_SETTLED(items);
// CHECK-DAG: NVM_SETTLED(one.value);
// RUN: gcc app.o %runtime_lib -pthread -o app
// RUN: env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app 3 > log
// RUN: env NVM_POOL=%t/pool NVM_VERIFY=1 ./app 0 >> log 2> err
// RUN: FileCheck %s --check-prefix=LOG --input-file log
// LOG: 1 11 1 7
// RUN: not grep -E 'unannounced|settled' err

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct item { struct item *next; int v; };
struct number { int is_set, value; };
static struct number one;
static struct item *items, *by_pointer, *by_thread, *behind;

static void set_by_pointer(struct item *i) { by_pointer = i; }
static void set_by_thread(struct item *i) { by_thread = i; }
static void load(const char *name) {
  int v;
  FILE *f = fopen(name, "r");
  one.value = 1;
  while (f && fscanf(f, "%d", &v) == 1) {
    struct item *i = calloc(1, sizeof *i);
    i->v = v;
    i->next = items;
    items = behind = i;
    set_by_pointer(i);
    set_by_thread(i);
  }
  if (f)
    fclose(f);
}
static void step(void) {
  set_by_pointer(items->next);
  by_pointer->v += 2 * one.value;
}
static void *beside(void *arg) {
  set_by_thread(items->next);
  return arg;
}
static void (*steps[])(void) = {step};
static void work(int i) { steps[i % 1](); }
int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 0;
  load("data");
  if (count) {
    pthread_t t;
    pthread_create(&t, NULL, beside, NULL);
    pthread_join(t, NULL);
    behind = items->next;
  }
  for (int i = 0; i < count; i++)
    work(i);
  if (count)
    raise(SIGKILL);
  printf("%d %d %d %d\n", one.value, by_pointer->v, behind == by_thread, items->v);
  return 0;
}
