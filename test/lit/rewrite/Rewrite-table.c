// A program that loads a table: what the patches write, that they apply layer
// by layer, that the result compiles, keeps its data, and is not patched again.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load table.c > out
// RUN: sh %S/Inputs/apply nvmove-out/patches %runtime_include table.c
//
// RUN: FileCheck %s --input-file table.c --implicit-check-not=nvm_ \
// RUN:   --implicit-check-not=NVM
// CHECK:      {{^}}/* A table of items. */
// CHECK-NEXT: #include <nvmove/nvm.h>
// CHECK-NEXT: NVM_TYPE(item);
// CHECK-NEXT: #include <stdio.h>
// CHECK:      struct item *it = NVM_ALLOC(item, nvm_malloc(sizeof *it));
// CHECK:      NVM(it->id) = id;
// CHECK-NEXT: NVM(it->next) = table[id % 64];
// CHECK-NEXT: table[id % 64] = it;
// CHECK:      NVM(*p) = gone->next;
// CHECK-NEXT: nvm_free(gone);
// CHECK:      int main(int argc, char **argv) {
// CHECK:      nvm_start();
// CHECK-NEXT: if (argc > 1)
// CHECK-NEXT: { if (!nvm_restore()) load(argv[1]); }
// CHECK-NEXT: nvm_restore();
// CHECK-NEXT: nvm_ready();
// CHECK-NEXT: while (scanf("%d", &id) == 1 && id != 0)
// CHECK-NEXT: { nvm_begin(); command(id); nvm_end(); }
// CHECK:      NVM_REGISTER(table) {
// CHECK-DAG:  NVM_ROOT(count);
// CHECK-DAG:  NVM_ROOT_POINTERS(table);
// CHECK:      NVM_LAYOUT(item, struct item,
// CHECK-NEXT: NVM_FIELD(struct item, id),
// CHECK-NEXT: NVM_POINTER(struct item, next));
//
// RUN: gcc table.o %runtime_lib -o table
// RUN: printf '3 4 5' > three && printf '70' > other
//
// Without a pool: the plain program.
// RUN: echo 5 -4 0 | ./table three | grep -qx '3 items, sum 13'
// With one: the second start finds what the first one left, and loads nothing.
// RUN: echo 5 -4 0 | env NVM_POOL=%t/pool NVM_SIZE=64M ./table three 2> log | grep -qx '3 items, sum 13'
// RUN: echo 0 | env NVM_POOL=%t/pool ./table other 2> log | grep -qx '3 items, sum 13'
// A start that has nothing to load keeps its data too.
// RUN: echo 6 0 | env NVM_POOL=%t/empty NVM_SIZE=64M ./table 2> log | grep -qx '1 items, sum 6'
// RUN: echo 7 0 | env NVM_POOL=%t/empty ./table 2> log | grep -qx '2 items, sum 13'
// RUN: echo 0 | env NVM_POOL=%t/empty ./table three 2> log | grep -qx '2 items, sum 13'
//
// RUN: %nvmove --load load --out again table.c > out
// RUN: not ls again/patches

//--- table.c
/* A table of items. */
#include <stdio.h>
#include <stdlib.h>

struct item {
  int id;
  struct item *next;
};

static struct item *table[64];
static long count;

static void add(int id) {
  struct item *it = malloc(sizeof *it);
  if (it == NULL)
    return;
  it->id = id;
  it->next = table[id % 64];
  table[id % 64] = it;
  count++;
}

static void drop(int id) {
  struct item **p = &table[id % 64], *gone;
  while (*p && (*p)->id != id)
    p = &(*p)->next;
  gone = *p;
  if (gone) {
    *p = gone->next;
    free(gone);
    count--;
  }
}

static void load(const char *path) {
  int id;
  FILE *f = fopen(path, "r");
  while (f && fscanf(f, "%d", &id) == 1)
    add(id);
  if (f)
    fclose(f);
}

static void command(int id) {
  if (id > 0)
    add(id);
  else
    drop(-id);
}

int main(int argc, char **argv) {
  int id, i;
  long sum = 0;
  struct item *it;
  if (argc > 1)
    load(argv[1]);
  while (scanf("%d", &id) == 1 && id != 0)
    command(id);
  for (i = 0; i < 64; i++)
    for (it = table[i]; it; it = it->next)
      sum += it->id;
  printf("%ld items, sum %ld\n", count, sum);
  return 0;
}
