// A root leads to members of a record that each start makes and that is not
// persistent by itself: its block is put into the heap.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load program.c > out
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c --check-prefix=TEXT
// TEXT: table = NVM_ALLOC(bytes, nvm_calloc(1, sizeof *table));
// TEXT: NVM_ROOT_POINTERS(rows);
// RUN: gcc -I %runtime_include program.c %runtime_lib -o app
// RUN: printf abcde > state
// RUN: printf gx | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app
// RUN: env NVM_POOL=%t/pool ./app < /dev/null > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG: d.ea.b.gc.

//--- program.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct item {
  struct item *next;
  int n;
};
struct row {
  struct item *list;
};
struct table {
  int n;
  struct row rows[4];
};
static struct table *table;
static struct row *rows;

static void start(void) {
  table = calloc(1, sizeof *table);
  if (!table)
    abort();
  rows = table->rows;
}
static void add(int c) {
  struct item *i = malloc(sizeof *i);
  if (!i)
    abort();
  i->n = c;
  i->next = rows[c & 3].list;
  rows[c & 3].list = i;
}
static void load(void) {
  int c;
  FILE *f = fopen("state", "rb");
  if (!f)
    return;
  while ((c = fgetc(f)) != EOF)
    add(c);
  fclose(f);
}
static void command(int c) {
  if (c == 'x')
    kill(getpid(), SIGKILL);
  add(c);
}
int main(void) {
  int c;
  start();
  load();
  while ((c = getchar()) != EOF)
    command(c);
  for (c = 0; c < 4; c++, putchar('.'))
    for (struct item *i = rows[c].list; i; i = i->next)
      putchar(i->n);
  return 0;
}
