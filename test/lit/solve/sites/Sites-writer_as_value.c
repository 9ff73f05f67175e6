// A library function that writes, called through a pointer: where that is handed
// memory of the heap the nvm_ form takes its place, and nowhere else.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --load load --out out t.c > log
// RUN: FileCheck %s --input-file out/patches/4-stores.patch --check-prefix=PATCH
// RUN: sh %S/../../rewrite/Inputs/apply out/patches %runtime_include t.c
// RUN: %nvmove verify --load load t.c
// RUN: gcc -I %runtime_include t.c %runtime_lib -o t
// RUN: printf 'one' > state
// RUN: printf 'bk' | not --crash env NVM_POOL=%t/pool NVM_SIZE=64M ./t
// RUN: env NVM_POOL=%t/pool ./t < /dev/null | FileCheck %s --check-prefix=OUT
// PATCH-NOT: nvm_memset
// PATCH: {{^}}+static void *(*copy)(void *, const void *, size_t) = nvm_memcpy;
// PATCH-NOT: nvm_memset
// OUT: bbb
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { char name[4]; int uses; struct item *next; };
static struct item *items;
static void *(*const volatile clear)(void *, int, size_t) = &memset;
static void *(*copy)(void *, const void *, size_t) = memcpy;
static void load(const char *name) {
  char word[4];
  FILE *f = fopen(name, "r");
  if (!f)
    return;
  while (fscanf(f, "%3s", word) == 1) {
    struct item *i = malloc(sizeof *i);
    if (!i)
      abort();
    copy(i->name, word, sizeof word);
    i->next = items;
    items = i;
  }
  fclose(f);
  clear(word, 0, sizeof word);
}
static void command(int c) {
  char text[4] = {(char)c, (char)c, (char)c, 0};
  if (c == 'k')
    raise(SIGKILL);
  copy(items->name, text, sizeof text);
  items->uses++;
}
int main(void) {
  int c;
  load("state");
  while ((c = getchar()) != EOF)
    command(c);
  printf("%s\n", items->name);
  return 0;
}
