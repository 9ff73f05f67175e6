// A handler that changes what comes back of static memory through a pointer
// alone is a section like one that names it; also where a library function
// writes there.
//
// RUN: rm -rf %t && mkdir -p %t && cp %s %t/app.c && printf 'abc\n' > %t/state
// RUN: cd %t && %nvmove --load load --out %t/out app.c | FileCheck %s
// CHECK: 2 suggested sections
// CHECK-NEXT: {{name_it|turn}} dispatcher
// CHECK-NEXT: {{name_it|turn}} dispatcher
#include <stdio.h>
#include <string.h>

struct state {
  char name[16];
  int level;
};
static struct state state;

static void name_it(struct state *s, const char *name) {
  strncpy(s->name, name, 15);
}
static void turn(int *level) { ++*level; }

static void load(FILE *f) {
  if (fscanf(f, "%15s %d", state.name, &state.level) != 2)
    state.level = 0;
}

int main(void) {
  FILE *f = fopen("state", "r");
  char line[16];
  if (f)
    load(f);
  while (fgets(line, sizeof line, stdin)) {
    if (line[0] == '+')
      turn(&state.level);
    else
      name_it(&state, line);
    printf("%s %d\n", state.name, state.level);
    fflush(stdout);
  }
  return 0;
}
