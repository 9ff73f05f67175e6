// A library's allocator makes blocks like malloc: it says so by an attribute,
// or is used with the size of a record. That the blocks are not in the heap is
// said. What a library looks for is not new.
//
// RUN: %nvmove_act --load load --force --out %t.out %s -- -std=gnu11 > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK: 4 persistent types
// CHECK-NEXT: item{{ .*}}allocates struct item in load
// CHECK-NEXT: sized {{.*}}allocates struct sized in load
// CHECK-NEXT: tagged {{.*}}allocates struct tagged in load
// CHECK-NEXT: copied {{.*}}allocates struct copied in load
// CHECK: 1 restored scalar
// CHECK-NEXT: number
// CHECK-DAG: unsupported-call  lib_malloc: allocates for the heap, but the runtime has no replacement for it
// CHECK-DAG: unsupported-call  lib_take: allocates for the heap
// CHECK-DAG: unsupported-call  lib_dup: allocates for the heap

#include <stdio.h>
#include <stdlib.h>

struct pool;
extern void *lib_malloc(unsigned long n) __attribute__((malloc));
extern void *lib_resize(void *p, unsigned long n)
    __attribute__((alloc_size(2)));
extern void *lib_take(struct pool *pool, unsigned long n);
extern void *lib_dup(const void *p, unsigned long n)
    __attribute__((malloc, alloc_size(2)));
extern FILE *lib_open(const char *name) __attribute__((malloc));
extern void *lib_find(struct pool *pool, struct found *key, unsigned long n);

struct item { struct item *next; int n; };
struct sized { int n; } *sized;
struct tagged { int n; } *tagged;
struct copied { struct item *item; } *copied;
struct found { int n; } *found;
static struct item *items;
static struct pool *pool;
static int number;

static void load(FILE *f) {
  int n;
  struct copied c;
  struct found key;
  while (fread(&n, sizeof n, 1, f) == 1) {
    struct item *i = lib_malloc(sizeof *i);
    i->n = n;
    i->next = items;
    items = i;
  }
  sized = lib_resize(sized, 100);
  sized->n = n;
  tagged = (struct tagged *)lib_take(pool, sizeof(struct tagged));
  tagged->n = n;
  c.item = items;
  copied = lib_dup(&c, sizeof c);
  number = ((struct copied *)lib_dup(&c, sizeof c))->item->n;
  key.n = n;
  found = lib_find(pool, &key, sizeof(struct found));
}

int main(void) {
  FILE *f = lib_open("state");
  load(f);
  for (int c; (c = getchar()) != EOF;)
    printf("%d\n", items->n + sized->n + tagged->n + copied->item->n + number +
                       found->n);
  return 0;
}
