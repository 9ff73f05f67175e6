// Records that are linked by their indices, and the statics that lead to them:
// heads of chains in an array, which are also written through a pointer, a free
// list, what a local has counted, and both ends of a ring, of which one is
// computed from itself alone. Without these nobody finds the records again.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load --section command app.c > out
// RUN: FileCheck %s --input-file out --check-prefix=OUT
// OUT:      2 roots
// OUT:      12 restored scalars
// OUT-NEXT: chains is an index or offset into what is loaded
// OUT-NEXT: first is an index or offset into what is loaded
// OUT-NEXT: head is an index or offset into what is loaded
// OUT-NEXT: heads is an index or offset into what is loaded
// OUT-NEXT: lines is what the load has counted
// OUT-NEXT: marks is an index or offset into what is loaded
// OUT-NEXT: ring gets a value from the file
// OUT-NEXT: room is the size of what is loaded
// OUT-NEXT: tail advances with what is loaded
// OUT-NEXT: total is an index or offset into what is loaded
// OUT-NEXT: unused {{is an index or offset into what is loaded|is copied from what the load fills}}
// OUT-NEXT: used counts what is loaded
// OUT-NOT:  set-by-load
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'BIxyzs' | env NVM_POOL=%t/other NVM_SIZE=32M ./app data > first 2> log
// RUN: printf 'BIxk' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app data 2>> log
// RUN: printf 'yzs' | env NVM_POOL=%t/pool ./app > second 2>> log
// RUN: diff first second
// RUN: FileCheck %s --input-file second
// CHECK: xh ya zb c d e f g | xh yia zjb c d e f g | z of 13, 2 lines, z after b, fghjxyz

//--- data
abcdiefghj

//--- app.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct cell { int next, key; };

/* In a block that grows. */
static char *mem;
static int used, room, unused, chains[8];
#define CELL(i) ((struct cell *)(void *)(mem + (size_t)(i) * sizeof(struct cell)))
static int take(void) {
  int i;
  if (unused) {
    i = unused;
    unused = CELL(i)->next;
    return i;
  }
  if (used == room) {
    room = room ? room * 2 : 4;
    mem = realloc(mem, (size_t)room * sizeof(struct cell));
    if (!mem)
      abort();
    if (!used)
      used = 1;
  }
  return used++;
}
static void chain(int key) {
  int i = take(), *head = &chains[key & 7];
  CELL(i)->key = key;
  CELL(i)->next = *head;
  *head = i;
}
static void unchain(int key) {
  int i = chains[key & 7];
  if (!i)
    return;
  chains[key & 7] = CELL(i)->next;
  CELL(i)->next = unused;
  unused = i;
}

/* In an array. */
static struct cell cells[100];
static int first = -1, total, lines, heads[8], marks[2];
static void set(int *mark, int n) { *mark = n; }

static int ring[8], head, tail;
static void note(int key) {
  ring[head] = key;
  head = (head + 1) % 8;
  if (head == tail)
    tail = (tail + 1) % 8;
}

static void load(const char *name) {
  FILE *in = fopen(name, "r");
  int c, n = 1, l = 0;
  if (!in)
    return;
  while ((c = getc(in)) != EOF) {
    if (c == '\n') {
      l++;
      continue;
    }
    chain(c);
    note(c);
    cells[n].key = c;
    cells[n].next = heads[c & 7];
    heads[c & 7] = n;
    first = n;
    set(&marks[c == 'b'], n);
    n++;
  }
  total = n;
  lines = l;
  fclose(in);
}

static void command(int c) {
  if (c < 'a') {
    unchain(c);
    return;
  }
  chain(c);
  note(c);
  cells[total].key = c;
  cells[total].next = heads[c & 7];
  heads[c & 7] = total;
  set(&marks[0], total);
  first = total++;
}

static void show(void) {
  for (int k = 0; k < 8; k++) {
    for (int i = chains[k]; i; i = CELL(i)->next)
      putchar(CELL(i)->key);
    putchar(' ');
  }
  putchar('|');
  for (int k = 0; k < 8; k++) {
    putchar(' ');
    for (int i = heads[k]; i; i = cells[i].next)
      putchar(cells[i].key);
  }
  printf(" | %c of %d, %d lines, %c after %c, ", cells[first].key, total - 1,
         lines, cells[marks[0]].key, cells[marks[1]].key);
  for (int i = tail; i != head; i = (i + 1) % 8)
    putchar(ring[i]);
  putchar('\n');
}

int main(int argc, char **argv) {
  load(argc > 1 ? argv[1] : "/nowhere");
  for (int c; (c = getchar()) != EOF;)
    if (c == 's')
      show();
    else if (c == 'k')
      kill(getpid(), SIGKILL);
    else
      command(c);
  return 0;
}
