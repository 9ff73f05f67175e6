// Tables that others than the load make: start-up makes one, a command a larger
// one. What says how large they are is restored with them, though the load does
// not write it; so does what is written with a header that is copied whole.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load --section command app.c > out
// RUN: FileCheck %s --input-file out
// CHECK:      2 roots
// CHECK-NEXT: names.slots
// CHECK-NEXT: table
// CHECK:      4 restored scalars
// CHECK-NEXT: mask       is an index or offset into what is loaded
// CHECK-NEXT: names.mask is an index or offset into what is loaded
// CHECK-NEXT: names.used counts what is loaded
// CHECK-NEXT: room       is the size of what is loaded
// CHECK:      index-not-kept {{.*}}where is an index or offset into what a root points to, and is not restored
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'gs' | env NVM_POOL=%t/pool NVM_SIZE=32M ./app data > first 2> log
// RUN: FileCheck %s --input-file first --check-prefix=FIRST
// FIRST: 4 of 4 in 16 (16); 4 in 10
// RUN: printf 's' | env NVM_POOL=%t/pool ./app data > second 2>> log
// RUN: diff first second

//--- data
1 5 9 13

//--- app.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
  struct item *next;
  unsigned id;
};
struct names {
  unsigned **slots;
  unsigned mask, used;
};
static struct item **table;
static unsigned mask, where;
static size_t room;
static struct names names;

static void make(size_t size) {
  table = calloc(size, sizeof *table);
  if (!table)
    abort();
  mask = (unsigned)(size - 1);
  room = size;
}

static void insert(struct item *i) {
  struct item **at = &table[i->id & mask];
  i->next = *at;
  *at = i;
}

static void grow(void) {
  struct item **old = table, *i, *next;
  unsigned size = mask + 1, k;
  make(size * 4);
  for (k = 0; k < size; k++)
    for (i = old[k]; i; i = next) {
      next = i->next;
      insert(i);
    }
  free(old);
}

static struct item *find(unsigned id) {
  struct item *i;
  for (i = table[id & mask]; i && i->id != id; i = i->next)
    ;
  return i;
}

static void put(struct names *s, unsigned id) {
  unsigned i, j;
  if (s->used * 2 >= s->mask) {
    struct names n = {NULL, 0, 0};
    n.mask = s->mask * 2 + 3;
    n.used = s->used;
    n.slots = calloc(n.mask + 1, sizeof *n.slots);
    for (i = 0; s->slots && i <= s->mask; i++)
      if (s->slots[i]) {
        for (j = *s->slots[i] % (n.mask + 1); n.slots[j];
             j = (j + 1) % (n.mask + 1))
          ;
        n.slots[j] = s->slots[i];
      }
    free(s->slots);
    *s = n;
  }
  for (i = id % (s->mask + 1); s->slots[i]; i = (i + 1) % (s->mask + 1))
    ;
  s->slots[i] = malloc(sizeof **s->slots);
  *s->slots[i] = id;
  s->used++;
}

static void load(const char *name) {
  unsigned id;
  FILE *f = fopen(name, "r");
  if (!f)
    return;
  while (fscanf(f, "%u", &id) == 1) {
    struct item *i = malloc(sizeof *i);
    if (!i)
      abort();
    i->id = id;
    insert(i);
    put(&names, id);
  }
  fclose(f);
}

static void show(void) {
  unsigned id, found = 0;
  for (id = 1; id < 16; id += 4)
    found += find(id) != NULL;
  printf("%u of 4 in %u (%u); %u in %u\n", found, mask + 1, (unsigned)room,
         names.used, names.mask + 1);
  if (table[where])
    printf("%u\n", table[where]->id);
  fflush(stdout);
}

static void command(int c) {
  if (c == 'g')
    grow();
  if (c == 'w')
    where = mask;
  if (c == 's')
    show();
}

int main(int argc, char **argv) {
  int c;
  make(4);
  if (argc > 1)
    load(argv[1]);
  while ((c = getchar()) != EOF)
    command(c);
  return 0;
}
