// Blocks come from allocators behind pointers: a library's in a variable, the
// program's own in a table.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load program.c > out
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c
// CHECK: void *(*get)(size_t) = nvm_malloc;
// CHECK: boot_alloc(size_t n) { return nvm_calloc(1, n); }
// RUN: gcc -I %runtime_include program.c %runtime_lib -o app
// RUN: printf abx | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: printf c | env NVM_POOL=%t/pool ./app > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG: name 99, name 98, name 97, 3

//--- program.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct policy {
  void *(*allocate)(size_t);
  void (*release)(void *);
};
struct item {
  int id;
  char *name;
  struct item *next;
};
static struct item *all;
void *(*get)(size_t) = malloc;
static void *boot_alloc(size_t n) { return calloc(1, n); }
static void boot_free(void *p) { free(p); }
static struct policy boot = {boot_alloc, boot_free};
static struct policy *current = &boot;

static void add(int id) {
  struct item *i = current->allocate(sizeof *i);
  if (!i)
    return;
  i->name = get(16);
  if (!i->name) {
    current->release(i);
    return;
  }
  snprintf(i->name, 16, "name %d", id);
  i->id = id;
  i->next = all;
  all = i;
}
static void load(const char *name) {
  int id;
  FILE *f = fopen(name, "r");
  if (!f)
    return;
  while (fread(&id, sizeof id, 1, f) == 1)
    add(id);
  fclose(f);
}
static void command(int c) {
  if (c == 'x')
    kill(getpid(), SIGKILL);
  add(c);
}
int main(void) {
  int c, count = 0;
  load("state");
  while ((c = getchar()) != EOF)
    command(c);
  for (struct item *i = all; i; i = i->next, count++)
    printf("%s, ", i->name);
  printf("%d\n", count);
  return 0;
}
