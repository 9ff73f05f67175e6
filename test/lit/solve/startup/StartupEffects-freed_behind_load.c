// Start-up uses what the load has read, and frees it after the load: the next
// start, which does not load, finds dead pointers there, and frees them again. It
// is told. Not so what is set to null with it, and what is freed with its object.
//
// RUN: cd %S && %nvmove --notes --load load --analyze-only --force --out %t.out StartupEffects-freed_behind_load.c > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK: behind-load {{.*}}use_words() runs at each start, on restored state, and frees what struct room.words points to, which is then a dead pointer (StartupEffects-freed_behind_load.c:[[#]])
// CHECK-NOT: struct room.greeting
// CHECK-NOT: struct room.label
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct room { struct room *next; char *words[4], *greeting, *label; int n; };
static struct room *rooms;
static int shown;
void load(const char *name) {
  char line[64];
  FILE *f = fopen(name, "r");
  while (f && fgets(line, sizeof line, f)) {
    struct room *r = calloc(1, sizeof *r);
    r->words[r->n++] = strdup(line);
    r->greeting = strdup(line);
    r->label = strdup(line);
    r->next = rooms;
    rooms = r;
  }
}
static void use_words(void) {
  for (struct room *r = rooms; r; r = r->next)
    for (int i = 0; i < r->n; i++) {
      shown += strlen(r->words[i]);
      free(r->words[i]);
    }
}
static void shorten(void) {
  for (struct room *r = rooms; r; r = r->next) {
    free(r->greeting);
    r->greeting = NULL;
  }
}
static void drop_first(void) {
  struct room *r = rooms;
  if (r) { rooms = r->next; free(r->label); free(r); }
}
int main(void) {
  char line[64];
  load("rooms");
  use_words();
  shorten();
  while (fgets(line, sizeof line, stdin)) {
    if (*line == 'd') drop_first();
    for (struct room *r = rooms; r; r = r->next)
      puts(r->label);
  }
  return shown;
}
