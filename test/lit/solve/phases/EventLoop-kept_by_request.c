// A command of the main loop calls the load, and keeps what it gives back: that
// static is the root.
//
// RUN: %nvmove --print roots --load db_open %s | FileCheck %s --implicit-check-not={{.}}
// CHECK: current
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { struct item *next; int key; };
struct db { struct item *items; };
static struct db *current;
static struct db *db_open(const char *name) {
  struct db *db = calloc(1, sizeof *db);
  FILE *f = fopen(name, "r");
  int k;
  while (f && fscanf(f, "%d", &k) == 1) {
    struct item *it = malloc(sizeof *it);
    it->key = k;
    it->next = db->items;
    db->items = it;
  }
  return db;
}
static int opendb(char *name) {
  struct db *db = db_open(name);
  if (!db)
    return 1;
  free(current);
  current = db;
  return 0;
}
static int checkdb(void) { return current ? 0 : opendb("default"); }
static int do_open(char *arg) { return opendb(arg); }
static int do_add(char *arg) {
  struct item *it = malloc(sizeof *it);
  it->key = atoi(arg);
  it->next = current->items;
  current->items = it;
  return 0;
}
static struct command { const char *name; int (*begin)(void), (*handler)(char *); } table[] = {
    {"open", NULL, do_open}, {"add", checkdb, do_add}};
int main(void) {
  char line[100];
  while (fgets(line, sizeof line, stdin))
    for (int i = 0; i < 2; i++)
      if (!strncmp(line, table[i].name, strlen(table[i].name))) {
        if (table[i].begin && table[i].begin())
          break;
        table[i].handler(strchr(line, ' ') + 1);
      }
  return 0;
}
