// Library functions that allocate by themselves and have no form of the runtime:
// the heap gets a copy of what they make. What they write besides is announced:
// by the size that their row says, by the object, or to the end of its block.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --load load t.c > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG --implicit-check-not=unsupported --implicit-check-not=unannounced
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: grep -v '^//' t.c | FileCheck %s
// RUN: %nvmove --load load --force t.c | FileCheck %s --check-prefix=AGAIN
// RUN: gcc -Wall -Wextra -Werror -I %runtime_include t.c %runtime_lib -o t
// RUN: gcc -Wall -Wextra -Werror -I %runtime_include %s -o plain
// RUN: printf 'one\ntwo\n' > state
// RUN: printf 'three\nfour\n' | env NVM_POOL=%t/pool NVM_SIZE=64M NVM_VERIFY=1 ./t > /dev/null 2> err
// RUN: not grep unannounced err
// RUN: printf '' | env NVM_POOL=%t/pool ./t > got
// RUN: printf 'three\nfour\n' | ./plain > want
// RUN: cmp got want
// RUN: %nvmove verify --load load t.c
//
// LOG: 2 restored scalars
// LOG-NEXT: {{^}}  nwords
// AGAIN: 1 persistent type
// AGAIN: 0 files edited
// CHECK: NVM_ALLOC(bytes, NVM_ADOPT(wcsdup(wide)))
// CHECK: NVM_ADOPT_OUT(argz_create_sep(s, 'o', NVM_OUT(&i->parts), NVM_BUF(&i->parts_bytes, sizeof *(&i->parts_bytes))))
// CHECK: NVM_ADOPT_OUT(argz_add(NVM_IN_OUT(&i->parts), NVM_BUF(&i->parts_bytes, sizeof *(&i->parts_bytes)), s))
// CHECK: (void)NVM_ALLOC_OUT(bytes, NVM_ADOPT_OUT((envz_remove(NVM_IN_OUT(&i->parts), NVM_BUF(&i->parts_bytes, sizeof *(&i->parts_bytes)), "f"), 0)));
// CHECK: memccpy(NVM_BUF(i->text, 8), s, 'x', 8)
// CHECK: swab(s, NVM_BUF(i->swapped, 2), 2)
// CHECK: NVM(i->fraction) = modf(2.5, NVM_BUF(&i->whole, sizeof *(&i->whole)))
// CHECK: nvm_insque(i, last)
// CHECK: lsearch(word, NVM_REST(words), &nwords, sizeof *words, same)
#define _GNU_SOURCE
#include <argz.h>
#include <envz.h>
#include <math.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

struct item {
  struct item *next, *before;
  wchar_t *wide;
  char *parts;
  size_t parts_bytes;
  char text[8], swapped[8];
  double whole, fraction;
};
static struct item *first, *last;
static char (*words)[8];
static size_t nwords, room;

static int same(const void *a, const void *b) { return strcmp(a, b); }

static void add(const char *s) {
  wchar_t wide[16];
  char word[8] = "";
  struct item *i = calloc(1, sizeof *i);
  if (!i)
    return;
  swprintf(wide, 16, L"%s", s);
  i->wide = wcsdup(wide);
  argz_create_sep(s, 'o', &i->parts, &i->parts_bytes);
  argz_add(&i->parts, &i->parts_bytes, s);
  if (i->parts_bytes > 8)
    envz_remove(&i->parts, &i->parts_bytes, "f");
  memccpy(i->text, s, 'x', 8);
  swab(s, i->swapped, 2);
  i->fraction = modf(2.5, &i->whole);
  insque(i, last);
  last = i;
  if (!first)
    first = i;
  if (nwords == room) {
    room = room ? room * 2 : 2;
    words = realloc(words, room * sizeof *words);
  }
  strncpy(word, s, 7);
  lsearch(word, words, &nwords, sizeof *words, same);
}

static void load(void) {
  char line[16];
  FILE *f = fopen("state", "r");
  if (!f)
    return;
  while (fscanf(f, "%7s", line) == 1)
    add(line);
  fclose(f);
}

static void show(void) {
  for (struct item *i = first; i; i = i->next)
    printf("%ls %s %zu %s %s %g %g %d\n", i->wide, i->parts, i->parts_bytes,
           i->text, i->swapped, i->whole, i->fraction, i->before != NULL);
  printf("%zu %s\n", nwords, nwords ? words[nwords - 1] : "");
}

int main(void) {
  char line[16];
  load();
  while (scanf("%7s", line) == 1)
    add(line);
  show();
  return 0;
}
