// Tables of one kind that each start makes, and in which the load looks up. What
// comes out of one is of a type that the pool gets none of: kept, the table would
// lead to objects of the last run, so it is this start's. One out of which objects
// of the load come, too, or into which the load puts something, is a root.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --notes --load load --out out t.c > log
// RUN: FileCheck %s --input-file log
// RUN: sh %S/../../rewrite/Inputs/apply out/patches %runtime_include t.c
// RUN: gcc -I %runtime_include t.c %runtime_lib -o t
// RUN: printf 'a b' > state
// RUN: printf 'c k' | not --crash env NVM_POOL=%t/pool NVM_SIZE=64M ./t one
// RUN: printf 'd' | env NVM_POOL=%t/pool ./t two | FileCheck %s --check-prefix=OUT
// CHECK: 6 roots
// CHECK-NEXT: {{^}}  aliases
// CHECK-NEXT: {{^}}  engines {{.*}}listed only: its elements end with the process: struct engine
// CHECK-NEXT: {{^}}  items
// CHECK-NEXT: {{^}}  server.drivers {{.*}}listed only: its elements end with the process: struct driver
// CHECK-NEXT: {{^}}  server.users
// CHECK-NEXT: {{^}}  walked->first {{.*}}listed only: its elements end with the process: struct engine
// CHECK-EMPTY:
// CHECK-DAG: pointer-to-volatile {{.*}}engines leads to struct engine, allocated here and not persistent, and the load only looks up elements there
// CHECK-DAG: pointer-to-volatile {{.*}}server.drivers leads to struct driver
// OUT: engine two 1, driver two, walked two, alias none, user none 2
// OUT: items d c b a
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct entry { struct entry *next; const char *key; void *data; };
struct table { struct entry *first; long moves; };
struct iterator { struct table *of; struct entry *next; };
struct engine { const char *name; long used; };
struct driver { const char *name; };
struct user { char name[8]; int seen; };
struct item { char text[8]; };
static struct table *engines, *items, *aliases, *walked;
static struct { int n; struct table *users, *drivers; } server;

static struct table *create(void) { return calloc(1, sizeof(struct table)); }
static void put(struct table *t, const char *key, void *data) {
  struct entry *e = malloc(sizeof *e);
  e->key = strdup(key);
  e->data = data;
  e->next = t->first;
  t->first = e;
}
static struct entry *find(struct table *t, const char *key) {
  for (struct entry *e = t->first, *last = NULL; e; last = e, e = e->next)
    if (!strcmp(e->key, key)) {
      if (last) { // to the front
        last->next = e->next;
        e->next = t->first;
        t->first = e;
        t->moves++;
      }
      return e;
    }
  return NULL;
}
static void *look_up(struct table *t, const char *key) {
  struct entry *e = find(t, key);
  return e ? e->data : NULL;
}
static struct iterator *iterate(struct table *t) {
  struct iterator *i = malloc(sizeof *i);
  i->of = t;
  i->next = t->first;
  return i;
}
static struct entry *next(struct iterator *i) {
  struct entry *e = i->next;
  if (e)
    i->next = e->next;
  return e;
}
static struct driver *driver(const char *name) {
  return look_up(server.drivers, name);
}
static void item_make(const char *s) {
  struct item *i = calloc(1, sizeof *i);
  strcpy(i->text, s);
  put(items, s, i);
}
static void load(const char *name) {
  char b[8];
  FILE *f = fopen(name, "r");
  struct engine *e = look_up(engines, "main");
  struct driver *d = driver("main");
  struct user *u = look_up(server.users, "none");
  struct iterator *i = iterate(walked);
  struct entry *at;
  if (e && d)
    printf("%s %s\n", e->name, d->name);
  while ((at = next(i)))
    puts(((struct engine *)at->data)->name);
  free(i);
  if (!f)
    return;
  while (fscanf(f, "%7s", b) == 1) {
    item_make(b);
    if (u)
      u->seen++;
    if (!find(aliases, b))
      put(aliases, b, e);
    else
      puts(((struct engine *)look_up(aliases, b))->name);
  }
  fclose(f);
}
static struct engine *engine_make(const char *name) {
  struct engine *e = malloc(sizeof *e);
  e->name = name;
  e->used = 0;
  return e;
}
int main(int argc, char **argv) {
  char b[8];
  if (argc != 2)
    return 1;
  engines = create();
  items = create();
  aliases = create();
  walked = create();
  server.users = create();
  server.drivers = create();
  struct driver *d = malloc(sizeof *d);
  struct user *u = calloc(1, sizeof *u);
  d->name = argv[1];
  strcpy(u->name, "none");
  put(engines, "main", engine_make(argv[1]));
  put(walked, "main", engine_make(argv[1]));
  put(server.drivers, "main", d);
  put(server.users, "none", u);
  load("state");
  while (scanf("%7s", b) == 1) {
    if (*b == 'k')
      raise(SIGKILL);
    item_make(b);
    ((struct engine *)look_up(engines, "main"))->used++;
  }
  struct engine *e = look_up(engines, "main"), *w = look_up(walked, "main");
  u = look_up(server.users, "none");
  printf("engine %s %ld, driver %s, walked %s, alias %s, user %s %d\n", e->name,
         e->used, driver("main")->name, w->name,
         find(aliases, "z") ? "z" : "none", u->name, u->seen);
  printf("items");
  for (struct entry *at = items->first; at; at = at->next)
    printf(" %s", ((struct item *)at->data)->text);
  puts("");
  return 0;
}
