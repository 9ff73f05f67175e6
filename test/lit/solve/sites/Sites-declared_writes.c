// Of a function of a library that nobody knows, the declaration says what it may
// write: that is announced. A void * alone is a question. A pointer that it puts
// into the heap leads to memory of its own, and is to act on; handed a local, it
// is not.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove_act --load load t.c -- -isystem sys > out
// RUN: FileCheck %s --input-file out
// CHECK: to act on
// CHECK: unannounced-call argument 2 of box_name: {{.*}}may lead to memory of the library
// CHECK-NEXT: hand it a local variable
// CHECK: to check
// CHECK: unannounced-call argument 2 of box_context
// CHECK-NOT: unannounced-call argument
// RUN: sh -c 'for p in nvmove-out/patches/*.patch; do patch -s -p1 < $p; done'
// RUN: gcc -fsyntax-only -Wall -Wextra -Werror -isystem sys -I %runtime_include t.c
// RUN: FileCheck %s --input-file t.c --check-prefix=TEXT
// TEXT: box_read(4, NVM_BUF(i->name, n), n)
// TEXT: box_count(b, NVM_BUF(&i->n, sizeof *(&i->n)))
// TEXT: box_text(b, NVM_REST(i->name))
// TEXT: box_rows(NVM_REST(i->rows), 3)
// TEXT: box_at(b, NVM_BUF(&i->at, sizeof *(&i->at)))
// TEXT: box_look(b, i->name)
// TEXT: box_context(b, i)
// A second run finds all that announced.
// RUN: %nvmove_act --load load --out again t.c -- -isystem sys -I %runtime_include > out
// RUN: not ls again/patches
// RUN: not %nvmove verify --load load t.c -- -isystem sys -I %runtime_include > log
// RUN: FileCheck %s --input-file log --check-prefix=VERIFY
// VERIFY-COUNT-2: unannounced-call
// VERIFY: 2 places are not as they should be
//
// RUN: sed 's/box_name(b, &i->own)/char *own; box_name(b, \&own)/' t.c > local.c
// RUN: %nvmove --load load --out local local.c -- -isystem sys -I %runtime_include

//--- sys/box.h
struct box;
struct box_time { long seconds; };
struct box *box_new(void);
int box_read(int file, void *to, int n);
int box_count(struct box *, int *rows);
char *box_text(struct box *, char *to);
void box_rows(long *rows, unsigned n);
void box_at(struct box *, struct box_time *);
int box_look(struct box *, const char *name);
void box_context(struct box *, void *context);
void box_name(struct box *, char **name);
//--- t.c
#include <stdio.h>
#include <stdlib.h>
#include <box.h>
struct item { struct item *next; int n; long rows[3]; char *own; struct box_time at; char name[40]; };
static struct item *items;
static void add(struct box *b, int n) {
  struct item *i = calloc(1, sizeof *i);
  if (!i)
    abort();
  box_read(4, i->name, n);
  box_count(b, &i->n);
  box_text(b, i->name);
  box_rows(i->rows, 3);
  box_at(b, &i->at);
  box_look(b, i->name);
  box_context(b, i);
  box_name(b, &i->own);
  i->next = items;
  items = i;
}
static void load(struct box *b) {
  FILE *f = fopen("state", "r");
  int n;
  while (f && fscanf(f, "%d", &n) == 1)
    add(b, n);
}
int main(void) {
  struct box *b = box_new();
  char line[80];
  load(b);
  while (fgets(line, sizeof line, stdin))
    add(b, atoi(line));
  return 0;
}
