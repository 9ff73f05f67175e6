// All state hangs from a record in main. With the table that the load fills its
// numbers come back: what the load counts, what the file says, what says how
// large the table is, and where the next one goes. What the load sets of itself,
// a flag, is reported.
//
// RUN: %nvmove --load load --analyze-only --force --out %t %s > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK: 1 root{{$}}
// CHECK-NEXT: app.items
// CHECK: 4 restored scalars
// CHECK-NEXT: app.count {{.*}}counts what is loaded
// CHECK-NEXT: app.next {{.*}}is an index or offset into what is loaded
// CHECK-NEXT: app.room {{.*}}is the size of what is loaded
// CHECK-NEXT: app.version {{.*}}gets a value from the file
// CHECK: set-by-load app.loaded is set by the load, but not restored
#include <stdio.h>
#include <stdlib.h>
struct item { int n; };
struct app { struct item **items; unsigned count, room, next; int version, loaded, verbose; };
static void load(struct app *app, const char *name) {
  FILE *f = fopen(name, "r");
  int n;
  if (!f || fscanf(f, "%d", &app->version) != 1)
    return;
  app->room = 64;
  app->items = calloc(app->room, sizeof *app->items);
  while (fscanf(f, "%d", &n) == 1) {
    struct item *i = malloc(sizeof *i);
    i->n = n;
    app->items[app->next] = i;
    app->next = (app->next + 1) % 64;
    app->count++;
  }
  app->loaded = 1;
}
static void command(struct app *app, int c) {
  if (app->verbose)
    printf("%u of %u\n", app->count, app->room);
  if (app->loaded && app->items[c % app->room])
    app->items[c % app->room]->n += app->version;
}
int main(int argc, char **argv) {
  struct app app = {0};
  app.verbose = argc > 2;
  load(&app, argv[1]);
  for (int c; (c = getchar()) != EOF;)
    command(&app, c);
  return 0;
}
