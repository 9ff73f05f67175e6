// A block has a cast to a record that it is not: neither does its size say so,
// nor is it used by the record's members. It is bytes, and a restart resets
// nothing in it. A block whose size is computed elsewhere, and that is used by
// members, is what the cast says.
//
// RUN: rm -rf %t && mkdir %t && cd %t && sed '/^\/\//d' %s > t.c
// RUN: %nvmove --load load t.c > out
// RUN: not grep 't.c:13.*several struct entry' out
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: FileCheck %s --input-file t.c
// CHECK: (struct entry *)NVM_ALLOC(entry, nvm_malloc(size))
// CHECK: (struct entry *)NVM_ALLOC(bytes, nvm_malloc(n))
// CHECK: NVM_VOLATILE(struct entry, data)
// RUN: gcc -I %runtime_include t.c %runtime_lib -o app
// RUN: printf ':: 1\n' > state
// RUN: printf 'add ::5 3\nadd a::1 4\n' | env NVM_POOL=%t/pool NVM_SIZE=32M ./app
// RUN: printf 'dump\n' | env NVM_POOL=%t/pool ./app > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG: a::1 4{{$}}
// LOG-NEXT: ::5 3{{$}}
// LOG-NEXT: :: 1{{$}}
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct entry { void *data; struct entry *next; };
struct list { struct entry *first; int copy; };
struct host { char name[40]; int hits; };
static struct list hosts, seen;
static size_t size_of_entry(void) { return sizeof(struct entry); }
static void put(struct list *l, void *data, size_t n) {
  size_t size = size_of_entry();
  struct entry *e = (struct entry *)malloc(size);
  if (l->copy) {
    e->data = (struct entry *)malloc(n);
    memcpy(e->data, data, n);
  } else
    e->data = data;
  e->next = l->first;
  l->first = e;
}
static void load(const char *file) {
  FILE *f = fopen(file, "r");
  struct host h;
  memset(&h, 0, sizeof h);
  while (f && fscanf(f, "%39s %d", h.name, &h.hits) == 2)
    put(&hosts, &h, sizeof h);
  if (f)
    fclose(f);
}
int main(void) {
  char line[80];
  struct host h;
  hosts.copy = 1;
  load("state");
  while (fgets(line, sizeof line, stdin)) {
    memset(&h, 0, sizeof h);
    if (sscanf(line, "add %39s %d", h.name, &h.hits) == 2) {
      struct host *mine = malloc(sizeof *mine);
      *mine = h;
      put(&seen, mine, sizeof *mine); // of this process: not kept
      put(&hosts, &h, sizeof h);
    } else if (!strncmp(line, "dump", 4)) {
      for (struct entry *e = hosts.first; e; e = e->next)
        printf("%s %d\n", ((struct host *)e->data)->name, ((struct host *)e->data)->hits);
    }
    fflush(stdout);
  }
  return 0;
}
