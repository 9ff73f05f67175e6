// A record that each start makes, and that loaded objects point to, holds what
// the load fills, options of this start and a stream: told, since it comes back
// as it was in the last run.
//
// RUN: cd %S && %nvmove --load load --analyze-only --force --out %t.out TransientFields-comes_back_whole.c > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK: comes-back-whole {{.*}}server leads to struct server, created by each start before the load: it is restored as a whole
// CHECK: pointer-to-volatile {{.*}}server.log may point to what fopen() returns: a restart makes it null
#include <stdio.h>
#include <stdlib.h>

struct item {
  struct item *next;
  struct server *owner;
  int id;
};
struct server {
  struct item *items;
  const char *name;
  FILE *log;
};
static struct server *server;

static void load(void) {
  int id;
  FILE *f = fopen("state", "r");
  if (!f)
    return;
  while (fread(&id, sizeof id, 1, f) == 1) {
    struct item *i = malloc(sizeof *i);
    i->id = id;
    i->owner = server;
    i->next = server->items;
    server->items = i;
  }
  fread(&server->items->id, sizeof id, 1, f);
  fclose(f);
}
static void start(char **argv) {
  server = calloc(1, sizeof *server);
  server->name = argv[1];
  server->log = fopen(argv[2], "a");
}
int main(int argc, char **argv) {
  int c;
  start(argv);
  load();
  while ((c = getchar()) != EOF)
    if (server->items)
      server->items->id += c;
  return argc;
}
