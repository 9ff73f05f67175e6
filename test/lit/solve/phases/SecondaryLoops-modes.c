// A mode that ends by exit() before another main loop is entered has a main
// loop of its own, in whatever way it waits.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --notes --load load t.c > log
// RUN: not grep -e store-outside-section -e loop-without log
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: grep -v '^//' t.c | FileCheck %s --check-prefix=CODE
// RUN: %nvmove verify --load load t.c
// RUN: gcc -I %runtime_include t.c %runtime_lib -o t
// RUN: echo 1 > state
// RUN: printf '2\n3\nx\n' | env NVM_POOL=%t/pool NVM_SIZE=64M not --crash ./t
// RUN: printf '4\n5\nx\n' | env NVM_POOL=%t/pool not --crash ./t pipe
// RUN: printf '6\np\n' | env NVM_POOL=%t/pool ./t > again
// RUN: FileCheck %s --input-file again --check-prefix=AGAIN
//
// Where start-up asks in a loop before, the other is not found, and that is
// told.
// RUN: %nvmove_act --notes --load load --out asks %s -- -DASKS > log
// RUN: FileCheck %s --input-file log --check-prefix=ASKS
// ASKS: loop-without-section this loop after the load {{.*}}(in serve)
//
// CODE:      static void serve(int fd) {
// CODE:      nvm_begin(); { int nvm_result = (!command({{.*}})) != 0; nvm_end();
// CODE:      static void ask(void) {
// CODE:      nvm_begin(); { int nvm_result = (!command({{.*}})) != 0; nvm_end();
// AGAIN: 6 5 4 3 2 1
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct item { struct item *next; int n; };
static struct item *items;

static void add(int n) {
  struct item *i = malloc(sizeof *i);
  i->n = n;
  i->next = items;
  items = i;
}
static void load(void) {
  FILE *f = fopen("state", "r");
  int n;
  if (!f)
    return;
  while (fscanf(f, "%d", &n) == 1)
    add(n);
  fclose(f);
}
static int command(const char *c) {
  if (*c == 'p') {
    for (struct item *i = items; i; i = i->next)
      printf("%d ", i->n);
    printf("\n");
    return 0;
  }
  if (*c == 'x')
    raise(SIGKILL);
  if (*c >= '0' && *c <= '9')
    add(*c - '0');
  return 1;
}
static void serve(int fd) {
  char c;
  while (read(fd, &c, 1) == 1) {
    if (!command(&c))
      break;
  }
}
static void ask(void) {
  char line[20];
  while (fgets(line, sizeof line, stdin)) {
    if (!command(line))
      break;
  }
}
int main(int argc, char **argv) {
  (void)argv;
  setvbuf(stdin, NULL, _IONBF, 0);
  load();
#ifdef ASKS
  while (getchar() != 'y')
    argc++;
#endif
  if (argc > 1) {
    serve(dup(0));
    puts("served");
    exit(0);
  }
  ask();
  return 0;
}
