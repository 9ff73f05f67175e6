// Pointers to what ends with the process are told wherever they are held: in the
// elements of a table, as a number that is made a pointer again, to text and
// handles of a library, to a record that each start makes and of which the pool
// keeps a field. A number that is a difference of pointers is none.
//
// RUN: cd %S && %nvmove_act --load load --analyze-only --force --out %t.out TransientFields-dangling.c > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK-DAG: pointer-to-volatile {{.*}}the table of pointers allocated at TransientFields-dangling.c:[[#@LINE+30]] may hold pointers to struct client, allocated here and not persistent: a restart leaves them unchanged
// CHECK-DAG: pointer-to-volatile {{.*}}store.owner may point to struct app, which each start creates anew
// CHECK-DAG: pointer-to-volatile {{.*}}item.tagged may point to struct client, allocated here and not persistent: a restart leaves it unchanged
// CHECK-DAG: library-memory {{.*}}item.name may be text that readline() has allocated, which the pool does not have: a restart makes it null
// CHECK-DAG: library-memory {{.*}}store.heap leads to memory of heap_create(), which the pool cannot keep: a restart makes it null
// CHECK-NOT: item.length may point
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct heap heap;
extern int heap_create(heap **h);
extern char *readline(const char *prompt);
struct client { int fd; };
struct item { struct item *next; char *name; uintptr_t tagged; long length; int n; };
struct app;
struct store { struct item *items; struct app *owner; struct client **clients; heap *heap; };
struct app { struct store *store; int fd; };
static struct app *app;

static struct item *add(struct store *store, int n) {
  struct item *item = calloc(1, sizeof *item);
  item->n = n;
  item->next = store->items;
  return store->items = item;
}
static void load(struct store *store) {
  FILE *f = fopen("state", "r");
  int n;
  store->clients = calloc(16, sizeof *store->clients);
  while (f && fscanf(f, "%d", &n) == 1)
    add(store, n);
}
static void command(int c) {
  struct client *client = malloc(sizeof *client);
  char text[8] = "x", *end = text + c;
  client->fd = c;
  app->store->clients[c & 15] = client;
  struct item *item = add(app->store, c);
  item->name = readline("name? ");
  item->tagged = (uintptr_t)client | 1;
  item->length = end - text;
  if (item->tagged & 1)
    printf("%d\n", ((struct client *)(item->tagged & ~(uintptr_t)1))->fd);
  if (!app->store->heap)
    heap_create(&app->store->heap);
}
int main(void) {
  int c;
  app = calloc(1, sizeof *app);
  app->store = calloc(1, sizeof *app->store);
  app->store->owner = app;
  load(app->store);
  while ((c = getchar()) != EOF)
    command(c);
  return 0;
}
