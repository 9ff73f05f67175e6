// What a helper stores through an address that the load hands to it, as the text
// of the file says: it comes back, though handlers call the helper, too, for
// numbers of their own. Where others take the address as well, it is told.
//
// RUN: %nvmove --load load --out %t --force %s | FileCheck %s
// CHECK: 3 restored scalars
// CHECK-NEXT: directonly is set only by the load
// CHECK-NEXT: level gets a value from the file
// CHECK-NEXT: set.fast is set only by the load
// CHECK: set-by-load{{ +}}shared is set by the load, but not restored
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct cfg { struct cfg *next; char *name, *value; };
static struct cfg *all;
static bool directonly, shared, at_start = true;
static struct { bool slow, fast; } set;
static int level;
static struct cfg *lookup(const char *name) {
  for (struct cfg *c = all; c; c = c->next)
    if (!strcmp(c->name, name))
      return c;
  return NULL;
}
static bool get_bool(const struct cfg *c, bool *result) {
  if (!c)
    return false;
  if (!strcmp(c->value, "yes")) {
    *result = true;
    return true;
  }
  if (!strcmp(c->value, "no"))
    *result = false;
  return true;
}
static bool get_int(const struct cfg *c, int *result) {
  return c && sscanf(c->value, "%d", result) == 1;
}
static void add(const char *key, const char *value) {
  struct cfg *c = calloc(1, sizeof *c);
  c->name = strdup(key);
  c->value = strdup(value);
  c->next = all;
  all = c;
}
static bool load(const char *name) {
  char key[64], value[64];
  FILE *f = fopen(name, "r");
  if (!f)
    return false;
  while (fscanf(f, "%63s %63s", key, value) == 2)
    add(key, value);
  fclose(f);
  get_bool(lookup("DirectOnly"), &directonly);
  get_bool(lookup("Fast"), &set.fast);
  get_bool(lookup("Shared"), &shared);
  get_int(lookup("Level"), &level);
  return true;
}
int main(int argc, char **argv) {
  char line[64];
  if (!load(argv[argc - 1]))
    return 1;
  get_bool(lookup("Start"), &at_start);
  while (read(0, line, sizeof line) > 0) {
    bool now = false;
    add(line, "yes");
    get_bool(lookup(line), &now);
    get_bool(lookup(line), &shared);
    printf("%d %d %d %d %d\n", now, directonly, shared, set.fast, level);
  }
  return 0;
}
