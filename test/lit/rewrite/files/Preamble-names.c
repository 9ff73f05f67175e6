// What the rewriter writes compiles whatever a file is called, and is written
// although a comment or a literal has the same text.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: sh -e each.sh %S/../Inputs/apply %runtime_include %nvmove
// RUN: FileCheck %s --input-file static.c
// CHECK:      {{^}}NVM_TYPE(item);
// CHECK:      {{^}}NVM_REGISTER(static) {
// CHECK-NEXT: NVM_ROOT_POINTERS(first);
// CHECK:      {{^}}NVM_LAYOUT(item, struct item,
//
// What is there already is not written again.
// RUN: %nvmove verify --load load static.c
// RUN: %nvmove --load load --force static.c > out
// RUN: not ls nvmove-out/patches/1-roots.patch

//--- each.sh
for name in static code twin literals static_function; do
  cp program.c $name.c
  $3 --load load --force $name.c > out
  sh $1 nvmove-out/patches $2 $name.c
done

//--- program.c
/* What nvmove would write: NVM_ROOT_POINTERS(first); NVM_TYPE(item);
   NVM_LAYOUT(item, struct item); NVM_REGISTER(static) */
#include <stdio.h>
#include <stdlib.h>

struct item {
  struct item *next;
  int n;
};
static struct item *first;
// NVM_ROOT_POINTERS(first);
static const char *text = "NVM_ROOT_POINTERS(first); NVM_LAYOUT(item, ";

static void load(void) {
  int n;
  FILE *f = fopen("data", "r");
  if (!f)
    return;
  while (fscanf(f, "%d", &n) == 1) {
    struct item *a = malloc(sizeof *a);
    if (!a)
      abort();
    a->n = n;
    a->next = first;
    first = a;
  }
  fclose(f);
}
static void command(void) {
  if (first)
    first->n++;
}
int main(void) {
  load();
  while (getchar() != EOF)
    command();
  printf("%s %d\n", text, first ? first->n : -1);
  return 0;
}
