// A root that lies in an anonymous member: what it holds is named, since it has
// no name itself.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load program.c > out
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c
// CHECK:      NVM_ROOT_ARRAY(bases, struct base,
// CHECK-NEXT: NVM_POINTER(struct base, list.table),
// CHECK-NEXT: NVM_POINTER(struct base, list.pad));
//
// What may be a number is not called a pointer.
// CHECK:      NVM_POINTER(struct item, next),
// CHECK-NEXT: NVM_FIELD(struct item, other),
// CHECK-NEXT: NVM_FIELD(struct item, number),
// RUN: gcc -I %runtime_include program.c %runtime_lib -o app
// RUN: printf '1 2 3' > data
// RUN: printf '9x' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app
// RUN: env NVM_POOL=%t/pool ./app < /dev/null | FileCheck %s --check-prefix=AGAIN
// AGAIN:      9
// AGAIN-NEXT: 3
// AGAIN-NEXT: 1
// AGAIN-NEXT: 2

//--- program.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct item {
  struct item *next;
  __extension__ union {
    struct item *other;
    long number;
  };
  int v;
};
struct table {
  struct item *first;
};
typedef union list {
  __extension__ struct {
    struct table *table;
    void *pad;
  };
  __extension__ struct {
    void *pad2;
    struct table *tail;
  };
  void *one;
} list;
struct base {
  list list;
  int readers;
};
static struct base *bases;

static void add(int v) {
  struct item *p = malloc(sizeof *p);
  if (!p)
    abort();
  p->v = v;
  p->next = bases[v % 3].list.table->first;
  bases[v % 3].list.table->first = p;
}
static void load(void) {
  int v;
  FILE *f = fopen("data", "r");
  if (!f)
    return;
  while (fscanf(f, "%d", &v) == 1)
    add(v);
  fclose(f);
}
static void command(int c) {
  if (c == 'x')
    kill(getpid(), SIGKILL);
  add(c - '0');
}
int main(void) {
  int c;
  bases = calloc(3, sizeof *bases);
  if (!bases)
    return 1;
  for (int i = 0; i < 3; i++) {
    bases[i].list.table = calloc(1, sizeof(struct table));
    if (!bases[i].list.table)
      return 1;
  }
  load();
  while ((c = getchar()) != EOF)
    command(c);
  for (int i = 0; i < 3; i++)
    for (struct item *p = bases[i].list.table->first; p; p = p->next)
      printf("%d\n", p->v);
  return 0;
}
