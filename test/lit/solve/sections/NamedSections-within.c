// What runs within a section that the user has named is in none of its own: an
// interpreter's loop is one step of the program's, and reads its input deep in
// it. Where another way leads there, too, the sections stay.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.c
// RUN: %nvmove --load load --section step app.c > out
// RUN: FileCheck %s --input-file out
// RUN: %nvmove --load load --section step --force app.c -- -DOTHER > other
// RUN: FileCheck %s --input-file other --check-prefix OTHER
//
// CHECK: 1 suggested section
// CHECK-NEXT: step {{ *}}user
// CHECK-NOT: store-outside-section
//
// OTHER: 3 suggested sections
// OTHER: push {{ *}}dispatcher
// OTHER: step {{ *}}user
// OTHER: store-outside-section {{.*}}operation may change

#include <stdio.h>
#include <stdlib.h>

struct cell { int value; struct cell *next; };
static struct cell *stack;

static void push(int value) {
  struct cell *c = malloc(sizeof *c);
  c->value = value;
  c->next = stack;
  stack = c;
}
static void load(FILE *f) {
  int value;
  while (f && fscanf(f, "%d", &value) == 1)
    push(value);
}
static int get(void) {
  char word[16];
  return fgets(word, sizeof word, stdin) ? atoi(word) : 0;
}
static int operation(void) {
  if (!stack)
    push(0);
  stack->value += get();
  if (stack->value % 10 == 0)
    push(1);
  return stack->value < 1000;
}
static int going;
static void step(int count) {
  for (int i = 0; i < count && (going = operation()); i++)
    ;
}
int main(void) {
  load(fopen("data", "r"));
#ifdef OTHER
  while (operation())
    ;
#endif
  do {
    step(10);
  } while (going);
  return 0;
}
