// Names that start-up enters into a table, before the load enters those of the
// file into the same one: what came back takes the place of the table, and what
// start-up keeps of its own names is found in it no more. That one name goes into
// a root, and comes back, says nothing about the others. So it is with a block
// that is put straight into a table that was allocated.
//
// RUN: cd %S && %nvmove --load load --analyze-only --force --out %t.out RootInsertions-interned_before.c > %t.log
// RUN: FileCheck %s --input-file %t.log --implicit-check-not=before-load
// CHECK: 4 roots
// CHECK: before-load {{.*}}intern() runs at each start before the load, and adds to the root names (RootInsertions-interned_before.c:[[#]]): the restored state replaces it
// CHECK: before-load {{.*}}put() runs at each start before the load, and adds to the root slots (RootInsertions-interned_before.c:[[#]]): the restored state replaces it
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct name { struct name *next; int uses; char text[1]; };
struct rule { struct rule *next; struct name *who; };
static struct name **names;
static struct rule *rules;
static struct name *default_file;
static struct name **slots;
static void init(void) {
  names = calloc(16, sizeof(struct name *));
  slots = calloc(16, sizeof(struct name *));
}
static void put(int n) {
  slots[n] = malloc(sizeof *slots[n] + 8);
  slots[n]->uses = n;
}
static struct name *intern(const char *text) {
  int h = text[0] & 15;
  struct name *n = names[h];
  while (n && strcmp(n->text, text))
    n = n->next;
  if (!n) {
    n = malloc(sizeof *n + strlen(text));
    n->uses = 0;
    strcpy(n->text, text);
    n->next = names[h];
    names[h] = n;
  }
  n->uses++;
  return n;
}
static struct key { const char *help; struct name *name; struct key *next; } *keys;
static void declare(struct name *name, const char *help) {
  struct key *k = malloc(sizeof *k);
  k->help = help;
  k->name = name;
  k->next = keys;
  keys = k;
}
#define KEY(n, h) declare(intern(n), h)
void load(const char *file) {
  char line[64];
  FILE *f = fopen(file, "r");
  while (f && fgets(line, sizeof line, f)) {
    struct rule *r = malloc(sizeof *r);
    r->who = intern(line);
    r->next = rules;
    rules = r;
    put(line[0] & 15);
  }
}
int main(int argc, char **argv) {
  char cmd[64];
  init();
  KEY("port", "number of the port");
  put(3);
  if (argc > 1)
    default_file = intern(argv[1]);
  if (!default_file)
    default_file = intern("rules");
  load(default_file->text);
  while (fgets(cmd, sizeof cmd, stdin)) {
    struct name *n = intern(cmd);
    for (struct key *k = keys; k; k = k->next)
      if (k->name == n)
        puts(k->help);
    n->uses++;
  }
}
