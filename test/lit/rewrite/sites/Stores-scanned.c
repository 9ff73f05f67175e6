// What scanf() writes into the heap is announced, in the size that its format
// says; with %s without a width, and with a form that is not known, it is all
// that there is of the block.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s scanned.c
// RUN: %nvmove_act --notes --load load scanned.c > out
// RUN: FileCheck %s --input-file out --check-prefix=REPORT
// REPORT-NOT: unannounced-call
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include scanned.c
// RUN: FileCheck %s --input-file scanned.c
//
// All are announced, and not again.
// RUN: %nvmove verify --load load scanned.c
// RUN: %nvmove_act --notes --load load --out again scanned.c | FileCheck %s --check-prefix=AGAIN
// AGAIN-NOT: buffers announced
#include <stdio.h>
#include <stdlib.h>

struct item {
  struct item *next;
  double price;
  int count;
  char name[32], kind, *text;
};
static struct item *items;

static void load(FILE *f, const char *form) {
  char line[200];
  while (fgets(line, sizeof line, f)) {
    struct item *i = calloc(1, sizeof *i);
    if (!i || !(i->text = malloc(10)))
      return;
    // CHECK: sscanf(line, "%d %lf", NVM_BUF(&i->count, sizeof *(&i->count)),
    // CHECK-NEXT: NVM_BUF(&i->price, sizeof *(&i->price)));
    sscanf(line, "%d %lf", &i->count,
           &i->price);
    // CHECK: sscanf(line, "%31s %*d %c", NVM_BUF(i->name, sizeof (i->name)), NVM_BUF(&i->kind, sizeof *(&i->kind)));
    sscanf(line, "%31s %*d %c", i->name, &i->kind);
    // CHECK: sscanf(line, "%9[a-z]", NVM_BUF(i->text, 10));
    sscanf(line, "%9[a-z]", i->text);
    // CHECK: sscanf(line, form, NVM_BUF(&i->count, sizeof *(&i->count)));
    sscanf(line, form, &i->count);
    // CHECK: sscanf(line, "%s", NVM_REST(i->text));
    sscanf(line, "%s", i->text);
    i->next = items;
    items = i;
  }
}

int main(void) {
  struct item *i;
  load(stdin, "%d");
  for (i = items; i; i = i->next)
    printf("%d %f %s %c %s\n", i->count, i->price, i->name, i->kind, i->text);
  return 0;
}
