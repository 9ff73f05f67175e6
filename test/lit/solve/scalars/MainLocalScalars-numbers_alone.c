// State in a record of main that holds numbers and text alone, no pointers: it
// comes back as it would from a static, also what is set where the file decides.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load app.c > out
// RUN: FileCheck %s --input-file out
// CHECK: 0 roots
// CHECK: 3 restored scalars
// CHECK-NEXT: world.limit {{.*}}gets a value from the file
// CHECK-NEXT: world.taken {{.*}}is set where the file decides
// CHECK-NEXT: world.title {{.*}}gets a value from the file
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'set 9 new\nkill\n' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app data > first
// RUN: echo show | env NVM_POOL=%t/pool ./app data > second
// RUN: FileCheck %s --input-file second --check-prefix=SECOND
// SECOND: new 9, taken 0 1 0 0 0 1

//--- data
5 old

//--- app.c
#include <signal.h>
#include <stdio.h>
#include <string.h>

struct world {
  char title[16];
  int limit;
  unsigned char taken[6];
};

static void set(struct world *w, int limit, const char *title) {
  snprintf(w->title, sizeof w->title, "%s", title);
  w->limit = limit;
  w->taken[limit & 3 ? limit % 4 : 0] = 1;
}

static void load(const char *path, struct world *w) {
  FILE *f = fopen(path, "r");
  char title[16];
  int limit;
  if (!f)
    return;
  while (fscanf(f, "%d %15s", &limit, title) == 2) {
    set(w, limit, title);
    w->taken[limit] = 1;
  }
  fclose(f);
}

static void handle(struct world *w, const char *line) {
  char title[16];
  int limit;
  if (sscanf(line, "set %d %15s", &limit, title) == 2)
    set(w, limit, title);
  if (!strncmp(line, "kill", 4))
    raise(SIGKILL);
  if (!strncmp(line, "show", 4))
    printf("%s %d, taken %d %d %d %d %d %d\n", w->title, w->limit, w->taken[0],
           w->taken[1], w->taken[2], w->taken[3], w->taken[4], w->taken[5]);
  fflush(stdout);
}

int main(int argc, char **argv) {
  struct world world;
  char line[64];
  memset(&world, 0, sizeof world);
  if (argc > 1)
    load(argv[1], &world);
  while (fgets(line, sizeof line, stdin))
    handle(&world, line);
  return 0;
}
