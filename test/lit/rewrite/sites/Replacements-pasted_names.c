// Calls whose names a macro pastes together cannot be replaced in place: of one
// macro that is one question, with the names and the places.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %nvmove_act --load load --out out %s | FileCheck %s
// CHECK: 1 finding to act on
// CHECK-NEXT: uneditable-site {{.*}} is not a plain name, so '{{.*}}nvm_{{[a-z]+}}, nvm_{{[a-z]+}}' is not called{{.*}}(and 1 more place)
// CHECK-NEXT: write it by hand
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct host {
  struct host *next;
  char name[16], nick[16];
};
static struct host *hosts;

#define SETTER(field, how)                                                     \
  static void set_##field(struct host *h, const char *text) {                  \
    how##cpy(h->field, text);                                                  \
  }
SETTER(name, str)
SETTER(nick, stp)

static void add(const char *name) {
  struct host *h = malloc(sizeof *h);
  set_name(h, name);
  set_nick(h, name);
  h->next = hosts;
  hosts = h;
}

static void load(void) {
  FILE *f = fopen("state", "r");
  char name[16];
  while (f && fscanf(f, "%15s", name) == 1)
    add(name);
}

int main(void) {
  char name[16];
  load();
  while (scanf("%15s", name) == 1)
    add(name);
  return 0;
}
