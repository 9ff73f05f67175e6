// The load stands in a plug-in: main calls it through a pointer that the
// plug-in sets, and the plug-in's handlers lie in a table of void *, put there
// before the load. No file names what the plug-in defines.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load db_load --print types core.c plugin.c tool.c -- -std=gnu99 > %t.types
// RUN: FileCheck %s --input-file %t.types --match-full-lines --implicit-check-not={{.}} --check-prefix=TYPES
// TYPES: account
// TYPES: mark
// RUN: %nvmove_act --load db_load --analyze-only --out out core.c plugin.c tool.c -- -std=gnu99 > %t.log 2>&1
// RUN: FileCheck %s --input-file %t.log --check-prefix=LOG
// LOG: note: {{.*}} analysed as a plug-in of core.c [plug-in]
// LOG: not analysed: tool.c: part of another program
// LOG-NOT: load-not-guarded
// LOG-NOT: unresolved-call
//
// The only call that loads is guarded.
// RUN: %nvmove_act --load db_load --out out2 core.c plugin.c tool.c -- -std=gnu99 > /dev/null 2>&1
// RUN: cat out2/patches/*.patch | FileCheck %s --check-prefix=PATCH
// PATCH: {{^\+.*nvm_restore.*db_open}}

//--- core.h
struct db { int left; };
typedef void (*handler)(struct db *);
struct plugin { const char *name; void (*init)(void); };
struct entry { const char *key; void *data; struct entry *next; };
extern void (*db_open)(void);
void add(const char *key, void *data);
void *find(const char *key);

//--- core.c
#include "core.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
void (*db_open)(void);
static struct entry *handlers;
void add(const char *key, void *data) {
  struct entry *e = malloc(sizeof *e);
  e->key = key;
  e->data = data;
  e->next = handlers;
  handlers = e;
}
void *find(const char *key) {
  for (struct entry *e = handlers; e; e = e->next)
    if (!strcmp(e->key, key))
      return e->data;
  return NULL;
}
int main(int argc, char **argv) {
  struct plugin *p = dlsym(dlopen(argv[1], RTLD_NOW), "plugin");
  p->init();
  if (db_open)
    db_open();
  return argc;
}

//--- plugin.c
#include "core.h"
#include <stdio.h>
#include <stdlib.h>
struct account { int number; struct account *next; };
struct mark { int bit; struct mark *next; };
static struct account *accounts;
static struct mark *marks;
static void account_handler(struct db *db) {
  struct account *a = malloc(sizeof *a);
  a->number = db->left;
  a->next = accounts;
  accounts = a;
}
static void mark_handler(struct db *db) {
  struct mark *m = malloc(sizeof *m);
  m->bit = db->left;
  m->next = marks;
  marks = m;
}
static void db_load(void) {
  struct db db = {3};
  char word[16];
  while (fgets(word, sizeof word, stdin)) {
    handler h = find(word);
    if (h)
      h(&db);
  }
}
static void init(void) {
  add("account", account_handler);
  add("mark", mark_handler);
  db_open = db_load;
}
struct plugin plugin = {"plugin", init};

//--- tool.c
int main(void) { return 0; }
