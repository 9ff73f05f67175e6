// A record that main makes and holds in a local variable, and of which the load
// restores what hangs from one field: that is kept, by value, and the local need
// not become static.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --notes --load load --out out t.c > log
// RUN: FileCheck %s --input-file log --implicit-check-not=root-in-local
// RUN: sh %S/../../rewrite/Inputs/apply out/patches %runtime_include t.c
// RUN: gcc -I %runtime_include t.c %runtime_lib -o t
// RUN: printf 'abc\nbcd\n' > state
// RUN: printf 'new\nold\n!\n' | not --crash env NVM_POOL=%t/pool NVM_SIZE=64M ./t state
// RUN: env NVM_POOL=%t/pool ./t state < /dev/null
// RUN: rm state && env NVM_POOL=%t/pool ./t state < /dev/null
// RUN: FileCheck %s --input-file state --check-prefix=STATE
// CHECK: 1 root
// CHECK-NEXT: srv->db {{.*}}each start creates its container; restored members: db
// CHECK: detached-at-exit {{.*}}main continues
// STATE: abc
// STATE-NEXT: bcd
// STATE-NEXT: new
// STATE-NEXT: old
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
struct item { char name[32]; struct item *next; };
struct db { struct item *slots[16]; int count; };
struct server { int fd; struct db *db; };
static struct server *server_new(void) {
  struct server *s = calloc(1, sizeof *s);
  s->db = calloc(1, sizeof *s->db);
  s->fd = -1;
  return s;
}
static void add(struct db *db, const char *name) {
  struct item *it = calloc(1, sizeof *it);
  strncpy(it->name, name, 31);
  it->next = db->slots[name[0] & 15];
  db->slots[name[0] & 15] = it;
  db->count++;
}
static void item_free(struct item *it) { free(it); }
static void db_free(struct db *db) {
  for (int i = 0; i < 16; ++i)
    while (db->slots[i]) {
      struct item *n = db->slots[i]->next;
      item_free(db->slots[i]);
      db->slots[i] = n;
    }
  free(db);
}
static void server_free(struct server *s) {
  db_free(s->db);
  free(s);
}
static int load(struct server *s, const char *path) {
  char line[32];
  FILE *f = fopen(path, "r");
  if (!f)
    return -1;
  while (fscanf(f, "%31s", line) == 1)
    add(s->db, line);
  fclose(f);
  return 0;
}
static void save(struct server *s, const char *path) {
  FILE *f = fopen(path, "w");
  for (int i = 0; i < 16; ++i)
    for (struct item *it = s->db->slots[i]; it; it = it->next)
      fprintf(f, "%s\n", it->name);
  fclose(f);
}
static void serve(struct server *s) {
  char line[32];
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (line[0] == '!')
      raise(SIGKILL);
    add(s->db, line);
  }
}
int main(int argc, char **argv) {
  struct server *srv = server_new();
  load(srv, argv[1]);
  serve(srv);
  save(srv, argv[1]);
  server_free(srv);
  return argc == 0;
}
