// Where a program ends, again: in a function that exits, whoever calls it, and
// not at each of its calls; behind a library's main loop, not behind the loop
// that reads settings before the load; at a call that frees a table two calls
// down, through a record that each start makes.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: sed 's/ifdef QUITS/if 1/' %s > t.c
// RUN: %nvmove --notes --load load --out one t.c > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG --implicit-check-not=at-exit
// RUN: sh %S/../../rewrite/Inputs/apply one/patches %runtime_include t.c
// RUN: grep -v '^//' t.c | FileCheck %s --check-prefix=QUITS --implicit-check-not=nvm_detach
// RUN: gcc -I %runtime_include t.c %runtime_lib -o t
// RUN: printf 'abq' | env NVM_POOL=%t/pool NVM_SIZE=64M ./t > first
// RUN: printf 'c' | env NVM_POOL=%t/pool ./t > second
// RUN: rm -f state && env NVM_POOL=%t/pool ./t < /dev/null > third
// RUN: FileCheck %s --input-file third --check-prefix=THIRD
// RUN: cp %s t.c
// RUN: %nvmove_act --notes --load load --out two t.c > log
// RUN: FileCheck %s --input-file log --check-prefix=LIBRARY --implicit-check-not=at-exit
// RUN: sh %S/../../rewrite/Inputs/apply two/patches %runtime_include t.c
// RUN: grep -v '^//' t.c | FileCheck %s --check-prefix=CODE --implicit-check-not=nvm_detach
// LOG: detached-at-exit {{.*}}quit continues
// QUITS: static {{.*}}quit(int code) {
// QUITS-NEXT: save();
// QUITS-NEXT: nvm_detach();
// QUITS-NEXT: server_free(server);
// THIRD: cba
// LIBRARY: detached-at-exit {{.*}}main continues
// CODE: int r = library_main(command);
// CODE-NEXT: save();
// CODE-NEXT: nvm_detach();
// CODE-NEXT: server_free(server);
#include <stdio.h>
#include <stdlib.h>

struct item { struct item *next; int n; };
struct table { struct item *first; int size; };
struct server { int fd; struct table *table; };
static struct server *server;
static int verbose;
int library_main(void (*command)(int));

static void add(int n) {
  struct item *i = malloc(sizeof *i);
  i->n = n;
  i->next = server->table->first;
  server->table->first = i;
}
static void load(void) {
  FILE *f = fopen("state", "r");
  int n;
  if (!f)
    return;
  while (fscanf(f, "%d", &n) == 1)
    add(n);
  fclose(f);
}
static void save(void) {
  FILE *f = fopen("state", "w");
  if (!f)
    return;
  for (struct item *i = server->table->first; i; i = i->next)
    fprintf(f, "%d ", i->n);
  fclose(f);
}
static struct server *server_new(void) {
  struct server *s = calloc(1, sizeof *s);
  s->fd = -1;
  s->table = calloc(1, sizeof *s->table);
  return s;
}
static void item_free(struct item *i) {
  free(i);
}
static void table_free(struct table *t) {
  while (t->first) {
    struct item *next = t->first->next;
    item_free(t->first);
    t->first = next;
  }
  free(t);
}
static void server_free(struct server *s) {
  table_free(s->table);
  free(s);
}
#ifdef QUITS
static void __attribute__((noreturn)) quit(int code) {
  save();
  server_free(server);
  exit(code);
}
#endif
static void command(int c) {
  add(c);
}
#ifdef QUITS
int main(void) {
  int c;
  server = server_new();
  load();
  for (struct item *i = server->table->first; i; i = i->next)
    putchar(i->n);
  while ((c = getchar()) != EOF) {
    if (c == 'q')
      quit(verbose);
    command(c);
  }
  quit(0);
}
#else
static void configure(FILE *f) {
  char line[64];
  while (fgets(line, sizeof line, f))
    if (line[0] == 'v')
      verbose = 1;
}
static int initialise(void) {
  server = server_new();
  load();
  return server->table->first != NULL;
}
int main(int argc, char **argv) {
  FILE *f = fopen(argv[argc - 1], "r");
  if (f)
    configure(f);
  if (!initialise() && verbose)
    return 1;
  int r = library_main(command);
  save();
  server_free(server);
  return r;
}
#endif
