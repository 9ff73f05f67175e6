// What frees all of it stands before the main loop in the text, and runs when
// that has ended. What stands behind the loop and runs before it is none of that.
//
// RUN: %nvmove --load load --out %t --force %s | FileCheck %s --check-prefix=AFTER
// RUN: FileCheck %s --check-prefix=PATCH < %t/patches/1-roots.patch
// RUN: %nvmove --load load --out %t --force %s -- -DBEFORE | FileCheck %s --implicit-check-not=detached-at-exit
// AFTER: detached-at-exit{{ +}}main goes on to the program's end here, and frees persistent objects (in free_all)
// PATCH: {{^}}+  { nvm_detach(); free_all(); }
// CHECK: 1 root
#include <stdio.h>
#include <stdlib.h>
struct item {
  struct item *next;
  int id;
};
static struct item *items;
static void add(int id) {
  struct item *i = malloc(sizeof *i);
  i->id = id;
  i->next = items;
  items = i;
}
static void load(void) {
  int id;
  FILE *in = fopen("items", "r");
  while (in && fscanf(in, "%d", &id) == 1)
    add(id);
  if (in)
    fclose(in);
}
static void free_all(void) {
  while (items) {
    struct item *next = items->next;
    free(items);
    items = next;
  }
}
int main(void) {
  char line[80];
  load();
#ifdef BEFORE
  goto begin;
serve:
  while (fgets(line, sizeof line, stdin))
    add(atoi(line));
  return 0;
begin:
  free_all();
  goto serve;
#else
  goto serve;
end:
  free_all();
  return 0;
serve:
  while (fgets(line, sizeof line, stdin))
    add(atoi(line));
  goto end;
#endif
}
