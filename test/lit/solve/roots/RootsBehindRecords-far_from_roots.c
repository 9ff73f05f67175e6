// What the load fills hangs behind more than one record that each start makes:
// where there is one of each, the outermost keeps its pointer. Where there are
// several, that is reported.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove_act --load load --out several program.c -- -DSEVERAL > out
// RUN: FileCheck %s --input-file out --check-prefix=SEVERAL
// SEVERAL: 0 roots
// SEVERAL: made-at-each-start {{.*}}found through server, which each start creates anew
// RUN: FileCheck %s --input-file several/report.txt --check-prefix=GUARD
// GUARD: load-not-guarded {{.*}}the pool keeps no root that points to what it creates
// RUN: cat several/patches/1-roots.patch | FileCheck %s --check-prefix=PATCH
// PATCH-NOT: nvm_restore()
//
// RUN: %nvmove --load load program.c > out
// RUN: FileCheck %s --input-file out
// CHECK:      2 persistent types
// CHECK-NEXT: node {{.*}}server.users
// CHECK-NEXT: table {{.*}}leads to table, created before the load
// CHECK:      1 root
// CHECK-NEXT: server->users
// CHECK-NOT:  made-at-each-start
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c --check-prefix=TEXT
// TEXT:      NVM_ROOT_ARRAY(server, struct server,
// TEXT-NEXT: NVM_POINTER(struct server, users));
// RUN: gcc -I %runtime_include program.c %runtime_lib -o app
// RUN: printf 'a b c' > state
// RUN: printf dx | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app
// RUN: printf e | env NVM_POOL=%t/pool ./app > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG: d e a b c end 80
//
// RUN: %nvmove --load load --out list list.c > out
// RUN: FileCheck %s --input-file out --check-prefix=LIST
// LIST: made-at-each-start {{.*}}modules->data is kept of one struct module, and others are reachable from it

//--- program.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct node {
  struct node *next;
  int value;
};
struct table {
  struct node **slots;
  unsigned n;
};
struct server {
#ifdef SEVERAL
  struct server *next;
#endif
  struct table *users;
  int port;
};
static struct server *server;

static struct table *table_new(unsigned n) {
  struct table *t = malloc(sizeof *t);
  if (!t)
    abort();
  t->slots = calloc(n, sizeof *t->slots);
  if (!t->slots)
    abort();
  t->n = n;
  return t;
}
static void put(struct table *t, int value) {
  struct node *n = malloc(sizeof *n);
  if (!n)
    abort();
  n->value = value;
  n->next = t->slots[value % t->n];
  t->slots[value % t->n] = n;
}
static void load(void) {
  char name;
  FILE *f = fopen("state", "r");
  if (!f)
    return;
  while (fscanf(f, " %c", &name) == 1) {
    struct server *s = server;
#ifdef SEVERAL
    if (s->next && name > 'm')
      s = s->next;
#endif
    put(s->users, name);
  }
  fclose(f);
}
static void command(int c) {
  if (c == 'x')
    kill(getpid(), SIGKILL);
  put(server->users, c);
}
static void make(int port) {
  struct server *s = calloc(1, sizeof *s);
  if (!s)
    abort();
#ifdef SEVERAL
  s->next = server;
#endif
  s->users = table_new(4);
  s->port = port;
  server = s;
}
int main(void) {
  int c;
  make(80);
  load();
  while ((c = getchar()) != EOF)
    command(c);
  for (unsigned i = 0; i < server->users->n; i++)
    for (struct node *n = server->users->slots[i]; n; n = n->next)
      printf("%c ", n->value);
  printf("end %d\n", server->port);
  return 0;
}

//--- list.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { struct item *next; int n; };
struct data { struct item *items; int n; };
struct module { struct module *next; const char *name; struct data *data; };
static struct module *modules;
static void make(const char *name) {
  struct module *m = calloc(1, sizeof *m);
  m->name = name;
  m->data = calloc(1, sizeof *m->data);
  m->next = modules;
  modules = m;
}
static void add(const char *name, int n) {
  struct module *m = modules;
  struct item *it;
  while (m && strcmp(m->name, name))
    m = m->next;
  if (!m)
    return;
  it = malloc(sizeof *it);
  it->n = n;
  it->next = m->data->items;
  m->data->items = it;
  m->data->n++;
}
static void load(void) {
  char w[20];
  int n;
  FILE *f = fopen("state", "r");
  while (fscanf(f, "%19s %d", w, &n) == 2)
    add(w, n);
  fclose(f);
}
int main(void) {
  char w[20];
  int n;
  make("a");
  make("b");
  load();
  while (scanf("%19s %d", w, &n) == 2)
    add(w, n);
  return 0;
}
