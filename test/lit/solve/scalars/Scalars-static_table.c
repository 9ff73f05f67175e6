// All state lies in static variables: restored scalars, and nothing to warn of.
//
// RUN: %nvmove_act --load load --analyze-only --out %t.out --force %s > %t.log 2>&1
// RUN: not grep -q nothing-persistent %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK: restored scalar
//
// With another load function there is nothing.
// RUN: %nvmove_act --load show --analyze-only --out %t.out --force %s 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: warning: nothing that show creates is reachable from static memory when it returns, and it restores no static variable [nothing-persistent]
#include <stdio.h>

static long level, gold;

void load(const char *path) {
  FILE *f = fopen(path, "r");
  if (f == NULL)
    return;
  if (fscanf(f, "%ld %ld", &level, &gold) != 2)
    level = 1;
  fclose(f);
}

void show(void) { printf("%ld %ld\n", level, gold); }

int main(int argc, char **argv) {
  if (argc > 1)
    load(argv[1]);
  gold++;
  show();
  return 0;
}
