// Pointers into static arrays that come back: the end of a buffer of names, the
// names themselves, the next unused record of an array, a free list and heads
// of chains that are written through a pointer. They follow the arrays into the
// next run.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load --section command app.c > out
// RUN: FileCheck %s --input-file out --check-prefix=OUT
// OUT:      7 roots
// OUT-NEXT: cells[].key
// OUT-NEXT: end
// OUT-NEXT: fresh
// OUT-NEXT: heads
// OUT-NEXT: items
// OUT-NEXT: unused
// OUT-NEXT: words
// OUT:      2 followed statics
// OUT-NEXT: cells
// OUT-NEXT: text
// OUT-NOT:  made-at-each-start
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc -pie app.o %runtime_lib -o app
// RUN: printf 'AxyBzs' | env NVM_POOL=%t/other NVM_SIZE=32M ./app data > first 2> log
// RUN: printf 'Axk' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app data 2>> log
// RUN: printf 'yBzs' | env NVM_POOL=%t/pool ./app > second 2>> log
// RUN: diff first second
// RUN: FileCheck %s --input-file second
// CHECK: x ya z c d | a b c d i x y z | zyxidcba

//--- data
abcdi

//--- app.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct cell { struct cell *next; int key; };
static struct cell cells[100], *fresh = cells, *unused, *heads[8];
static struct cell *take(void) {
  struct cell *c = unused;
  if (c)
    unused = c->next;
  else
    c = fresh++;
  return c;
}
static void put(struct cell *c, struct cell **head) {
  c->next = *head;
  *head = c;
}

struct item { struct item *next; const char *name; };
static struct item *items;
static char text[1000], *end = text, *words[50];
static int used;

static void add(int key) {
  struct cell *c = take();
  struct item *i = malloc(sizeof *i);
  if (!i)
    abort();
  c->key = key;
  put(c, &heads[key & 7]);
  words[used++] = end;
  i->name = end;
  i->next = items;
  items = i;
  end[0] = (char)key;
  end[1] = 0;
  end += 2;
}

static void load(const char *name) {
  FILE *in = fopen(name, "r");
  if (!in)
    return;
  for (int c; (c = getc(in)) > ' ';)
    add(c);
  fclose(in);
}

static void command(int c) {
  struct cell *gone = heads[c & 7];
  if (c >= 'a') {
    add(c);
  } else if (gone) {
    heads[c & 7] = gone->next;
    gone->next = unused;
    unused = gone;
  }
}

static void show(void) {
  for (int k = 0; k < 8; k++) {
    for (struct cell *c = heads[k]; c; c = c->next)
      putchar(c->key);
    putchar(' ');
  }
  putchar('|');
  for (int k = 0; k < used; k++)
    printf(" %s", words[k]);
  printf(" | ");
  for (struct item *i = items; i; i = i->next)
    printf("%s", i->name);
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
