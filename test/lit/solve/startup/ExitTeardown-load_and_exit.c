// A load that another run of start-up ends behind is no freeing at the end,
// though it frees what was there before, and it may be a section. Where what
// frees at the end is one elsewhere, it is none there: it is detached first.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --notes --load load --section load --section free_all t.c > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG --implicit-check-not=at-exit
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: grep -v '^//' t.c | FileCheck %s --check-prefix=CODE --implicit-check-not=nvm_detach
// RUN: %nvmove verify --load load --section load --section free_all t.c
// RUN: gcc -I %runtime_include t.c %runtime_lib -o t
// RUN: printf '1 2' > state
// RUN: printf '3\n4\nq\n' | env NVM_POOL=%t/pool NVM_SIZE=64M ./t
// RUN: env NVM_POOL=%t/pool ./t dump > second
// RUN: env NVM_POOL=%t/pool ./t < /dev/null
// RUN: env NVM_POOL=%t/pool ./t dump >> second
// RUN: printf 'r\n' | env NVM_POOL=%t/pool ./t
// RUN: env NVM_POOL=%t/pool ./t dump >> second
// RUN: FileCheck %s --input-file second --check-prefix=SECOND
// LOG: detached-at-exit {{.*}}command continues to
// LOG: detached-at-exit {{.*}}main continues to
// CODE: nvm_detach();
// CODE-NEXT: free_all();
// CODE-NEXT: exit(0);
// CODE: strcmp(mode
// CODE-NEXT: nvm_begin();
// CODE-NEXT: if (!NVM_LOAD_OR(load(), 0, 1)) exit(2);
// CODE-NEXT: nvm_end();
// CODE: if (!NVM_LOAD_OR(load(), 0, 1)) exit(2);
// CODE-NEXT: nvm_end();
// CODE: nvm_detach();
// CODE-NEXT: return free_all();
// SECOND: 4321
// SECOND-NEXT: 4321
// SECOND-NEXT: 21
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { struct item *next; int n; };
static struct item *items;
static const char *mode;

static void add(int n) {
  struct item *i = malloc(sizeof *i);
  i->n = n;
  i->next = items;
  items = i;
}
static int free_all(void) {
  while (items) {
    struct item *i = items;
    items = i->next;
    free(i);
  }
  return 0;
}
static int load(void) {
  FILE *f = fopen("state", "r");
  int n;
  if (!f)
    return 0;
  free_all();
  while (fscanf(f, "%d", &n) == 1)
    add(n);
  fclose(f);
  return 1;
}
static void command(const char *line) {
  if (*line == 'q') {
    free_all();
    exit(0);
  }
  if (*line == 'r')
    load();
  else
    add(atoi(line));
}
static void init(int argc, char **argv) {
  mode = argc > 1 ? argv[1] : "serve";
  if (!strcmp(mode, "dump")) {
    if (!load()) exit(2);
    for (struct item *i = items; i; i = i->next)
      printf("%d", i->n);
    printf("\n");
    exit(0);
  }
  if (!load()) exit(2);
}
int main(int argc, char **argv) {
  char line[80];
  init(argc, argv);
  while (fgets(line, sizeof line, stdin))
    command(line);
  return free_all();
}
