// A number that is too small for a pointer holds none, though it is the
// difference of two: the buffer that was measured stays where it is.
//
// RUN: %nvmove_act --load load --out %t.out --force %s > %t.log
// RUN: FileCheck %s --input-file %t.out/patches/2-allocation.patch
// CHECK-NOT: {{^[-+].*}}scratch
// CHECK: +{{.*}}NVM_ALLOC(item, nvm_malloc(sizeof *i));
// CHECK-NOT: {{^[-+].*}}scratch
#include <stdio.h>
#include <stdlib.h>

struct item {
  struct item *next;
  int length;
};
static struct item *items;

static void load(FILE *f) {
  int n;
  while (fread(&n, sizeof n, 1, f) == 1) {
    struct item *i = malloc(sizeof *i);
    i->length = n;
    i->next = items;
    items = i;
  }
}

static int measure(void) {
  char *scratch = malloc(100), *end = scratch;
  int c;
  while ((c = getchar()) != EOF && end < scratch + 99)
    *end++ = c;
  *end = 0;
  c = end - scratch;
  puts(scratch);
  free(scratch);
  return c;
}

int main(void) {
  load(stdin);
  for (struct item *i = items; i; i = i->next)
    i->length = measure();
}
