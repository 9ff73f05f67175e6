// What the load cannot reach is not restored by it: it calls report(), which does
// nothing while the program is starting. Children of a process end with it, and
// so does what counts them; what counts the items comes back. An option that
// start-up counts is no flag for what is made once: each start may get another.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --load load --out out t.c > log
// RUN: FileCheck %s --input-file log --implicit-check-not=children --implicit-check-not=prepared --implicit-check-not=told --implicit-check-not=quiet
// RUN: %nvmove --load load --out both t.c -- -DBOTH > log
// RUN: FileCheck %s --input-file log --check-prefix=BOTH
// RUN: %nvmove --load load --out never t.c -- -DNEVER > log
// RUN: FileCheck %s --input-file log --check-prefix=NEVER
// RUN: sh %S/../../rewrite/Inputs/apply out/patches %runtime_include t.c
// RUN: gcc -I %runtime_include t.c %runtime_lib -o t
// RUN: printf 'a\nb\n' > state
// RUN: printf 'c\nd\ne\n!\n' | not --crash env NVM_POOL=%t/pool NVM_SIZE=64M ./t
// RUN: printf 'f\n?\n' | env NVM_POOL=%t/pool ./t | FileCheck %s --check-prefix=OUT
//
// CHECK: 1 restored scalar
// CHECK-NEXT: items
// OUT: 6 items, 1 children, prepared 1
//
// Where one of the writes runs, the number comes back as before; so it does
// where nothing ends the start.
//
// BOTH: children {{.*}}counts what is loaded
// NEVER: children {{.*}}counts what is loaded
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { char name[32]; struct item *next; int reported; };
static struct item *all;
static int starting = 1, items, children, quiet;
static int *told;
static void report(void) {
  static int prepared;
#ifdef BOTH
  ++children;
#endif
  if (starting)
    return;
  if (quiet)
    return;
  if (!prepared) {
    told = calloc(1, sizeof *told);
    ++prepared;
  }
  while (children >= 3)
    ; // waits for one of them
  ++children;
  ++*told;
  all->reported = 1;
  printf("%d items, %d children, prepared %d\n", items, children, prepared);
}
static void add(const char *name) {
  struct item *it = calloc(1, sizeof *it);
  strncpy(it->name, name, 31);
  it->next = all;
  all = it;
  items++;
  if (name[0] != 'd' && name[0] != 'e')
    report();
}
static int load(void) {
  char line[32];
  FILE *f = fopen("state", "r");
  if (!f)
    return 0;
  while (fscanf(f, "%31s", line) == 1)
    add(line);
  fclose(f);
  return 1;
}
int main(int argc, char **argv) {
  char line[32];
  while (argc-- > 1)
    if (!strcmp(argv[argc], "-q"))
      ++quiet;
  if (!quiet)
    setvbuf(stdout, NULL, _IOLBF, 0);
#ifdef NEVER
  starting = 0;
#else
  starting = 1;
#endif
  if (!load())
    exit(1);
  starting = 0;
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (line[0] == '!')
      raise(SIGKILL);
    if (line[0] == '?')
      continue;
    add(line);
  }
  return 0;
}
