// A member goes by a macro of its own name: what is written spells the member.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load program.c > out
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c
// CHECK:      #pragma push_macro("level")
// CHECK-NEXT: #undef level
// CHECK-NEXT: NVM_REGISTER(program) {
// CHECK:      #pragma pop_macro("level")
// CHECK:      #pragma push_macro("depth")
// CHECK:      NVM_FIELD(struct item, depth)
// CHECK:      #pragma pop_macro("depth")
// RUN: gcc -I %runtime_include program.c %runtime_lib -o app
// RUN: printf '3 4' > data
// RUN: printf '+x' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app
// RUN: printf '' | env NVM_POOL=%t/pool ./app > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG: level 4 depth 5

//--- program.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct item {
  int depth;
  struct item *next;
};
static struct {
  int level;
  struct item *items;
} app;
#define level app.level
#define depth(i) (i)->depth
#undef depth
#define depth items->depth

static void load(void) {
  FILE *f = fopen("data", "r");
  if (!f)
    return;
  app.items = calloc(1, sizeof *app.items);
  if (!app.items || fscanf(f, "%d %d", &level, &app.depth) != 2)
    level = 0;
  fclose(f);
}
static void command(int c) {
  if (c == 'x')
    kill(getpid(), SIGKILL);
  level++;
  app.depth++;
}
int main(void) {
  int c;
  load();
  while ((c = getchar()) != EOF)
    command(c);
  printf("level %d depth %d\n", level, app.depth);
  return 0;
}
