// The head of a function has two forms, in the parts of an #if, and one body
// behind: its registration comes behind the body.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load program.c > out
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c
// CHECK: NVM_REGISTER(
// CHECK: NVM_CODE(up);

//--- program.c
#include <stdio.h>
#include <stdlib.h>

struct item {
  struct item *next;
  void (*track)(struct item *);
  int n;
};
static struct item *items;
#ifdef WRAPPED
static void up(struct item *i, void *data)
#else
static void up(struct item *i)
#endif
{
  i->n++;
}
static void load(void) {
  int n;
  FILE *f = fopen("data", "r");
  if (!f)
    return;
  while (fscanf(f, "%d", &n) == 1) {
    struct item *i = calloc(1, sizeof *i);
    if (!i)
      abort();
    i->n = n;
    i->track = up;
    i->next = items;
    items = i;
  }
  fclose(f);
}
static void command(void) {
  if (items)
    items->track(items);
}
int main(void) {
  load();
  while (getchar() != EOF)
    command();
  return 0;
}
