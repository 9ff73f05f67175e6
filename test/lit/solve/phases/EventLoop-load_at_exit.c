// What ends the program may load, too: it leaves a monitor behind. Whoever may
// end the program is not on the way to the load for that.
//
// RUN: %nvmove --load load --print roots %s -- -std=gnu99 | FileCheck %s --match-full-lines
// CHECK: items
// CHECK-NOT: {{.}}
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct item {
  int id;
  struct item *next;
};
static struct item *items;
static char *path;
static int interactive;

static void quit(int status);
static void set(char **to, const char *text) {
  *to = malloc(strlen(text) + 1);
  if (!*to)
    quit(1);
  strcpy(*to, text);
}

void load(void) {
  struct item *it;
  char *name;
  set(&name, path);
  FILE *f = fopen(name, "r");
  free(name);
  while (f && (it = malloc(sizeof *it)) && fread(&it->id, sizeof it->id, 1, f) == 1) {
    it->next = items;
    items = it;
  }
}

static void quit(int status) {
  if (interactive && fork() == 0)
    for (;;) {
      load();
      sleep(60);
    }
  exit(status);
}

static void choose_path(const char *given) {
  if (!given)
    quit(1);
  set(&path, given);
}

int main(int argc, char **argv) {
  choose_path(argv[1]);
  load();
  for (int id; scanf("%d", &id) == 1; items->id += id)
    ;
  quit(0);
}
