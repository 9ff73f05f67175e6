// A table of records in a static record comes back whole, as one that is a
// static by itself: also the members that the load sets to what the file does
// not say, a function among them.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load app.c > out
// RUN: FileCheck %s --input-file out
// CHECK: persistent type
// CHECK: {{^}}  item {{.*}}writes item.
// CHECK: {{^}}  world.rooms.items[].name
// CHECK: world.rooms.n {{.*}}is an index or offset
// CHECK-NOT: world.rooms.items.
// CHECK-NOT: set-by-load
// RUN: grep -c NVM_ROOT nvmove-out/patches/1-roots.patch | grep -x 2
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'add cellar 4\nkill\n' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app data > first
// RUN: echo show | env NVM_POOL=%t/pool ./app data > second
// RUN: FileCheck %s --input-file second --check-prefix=SECOND
// SECOND: hall 12 even used 1
// SECOND: attic 8 odd used 1
// SECOND: cellar 7 odd used 1

//--- data
hall 6
attic 5

//--- app.c
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct item {
  char name[12];
  int v, used;
  int (*op)(int);
  const char *label;
};
struct rooms {
  struct item items[8];
  int n;
};
static struct world {
  struct rooms rooms;
} world;

static int twice(int a) { return 2 * a; }
static int more(int a) { return a + 3; }

static void add(struct rooms *r, const char *name, int v) {
  if (r->n == 8)
    return;
  struct item *i = &r->items[r->n++];
  snprintf(i->name, sizeof i->name, "%s", name);
  i->v = v;
  i->used = 1;
  i->op = strlen(name) & 1 ? more : twice;
  if (strlen(name) > 4)
    i->op = more;
  i->label = i->op == more ? "odd" : "even";
}

static void load(const char *path) {
  FILE *f = fopen(path, "r");
  char name[12];
  int v;
  if (!f)
    return;
  while (fscanf(f, "%11s %d", name, &v) == 2)
    add(&world.rooms, name, v);
  fclose(f);
}

static void handle(const char *line) {
  char name[12];
  int v;
  if (sscanf(line, "add %11s %d", name, &v) == 2)
    add(&world.rooms, name, v);
  if (!strncmp(line, "kill", 4))
    raise(SIGKILL);
  if (!strncmp(line, "show", 4))
    for (int k = 0; k < world.rooms.n; k++) {
      struct item *i = &world.rooms.items[k];
      printf("%s %d %s used %d\n", i->name, i->op(i->v), i->label, i->used);
    }
  fflush(stdout);
}

int main(int argc, char **argv) {
  char line[64];
  if (argc > 1)
    load(argv[1]);
  while (fgets(line, sizeof line, stdin))
    handle(line);
  return 0;
}
