// A macro that gives a function another name is in its declaration too: the
// function's address is taken through nvm_code() where it is used, and not in
// the macro.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s renamed.c
// RUN: %nvmove --load load renamed.c > out
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include renamed.c
// RUN: FileCheck %s --input-file renamed.c
#include <stdio.h>
#include <stdlib.h>

// CHECK: {{^}}#define destroy lib_destroy{{$}}
#define destroy lib_destroy
void destroy(void *what);

struct item {
  struct item *next;
  void (*destroy)(void *what);
};
static struct item *items;

static void load(FILE *f) {
  while (getc(f) != EOF) {
    struct item *i = malloc(sizeof *i);
    if (!i)
      return;
    // CHECK: {{^ *}}NVM(i->destroy) = nvm_code(destroy);
    i->destroy = destroy;
    i->next = items;
    items = i;
  }
}

void destroy(void *what) { free(what); }

int main(void) {
  load(stdin);
  while (getchar() != EOF && items) {
    struct item *i = items;
    items = i->next;
    i->destroy(i);
  }
  return 0;
}
