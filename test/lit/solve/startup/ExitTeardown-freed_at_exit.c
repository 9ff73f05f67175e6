// A program that frees its state before it ends empties the pool with it: it is
// detached before, where main goes on behind its loop, and where a command ends
// the program. Not where it frees while it runs, before the load, or behind the
// loop what is not persistent. Nothing is lost.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --notes --load load t.c > log
// RUN: FileCheck %s --input-file log --implicit-check-not=at-exit
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: grep -v '^//' t.c | FileCheck %s --check-prefix=CODE --implicit-check-not=nvm_detach
// RUN: %nvmove --notes --load load --force t.c | FileCheck %s --check-prefix=AGAIN --implicit-check-not=at-exit
// RUN: gcc -I %runtime_include t.c %runtime_lib -o t
// RUN: printf 'abcd-' | env NVM_POOL=%t/pool NVM_SIZE=64M ./t
// RUN: printf 'eq' | env NVM_POOL=%t/pool ./t
// RUN: printf 'f' | env NVM_POOL=%t/pool ./t > third
// RUN: FileCheck %s --input-file third --check-prefix=THIRD
//
// Also where there are threads, and statistics are printed.
// RUN: printf '#include <pthread.h>\n#include <unistd.h>\nstatic void *rest(void *p) { pause(); return p; }\n' > extra.c
// RUN: echo '__attribute__((constructor)) static void begin(void) { pthread_t t; pthread_create(&t, 0, rest, 0); }' >> extra.c
// RUN: gcc -I %runtime_include t.c extra.c %runtime_lib -o threads
// RUN: printf 'abq' | env NVM_POOL=%t/pool2 NVM_SIZE=64M NVM_STATS=1 timeout 60 ./threads 2> stats
// RUN: grep '"sections":' stats
//
// CHECK: t.c:[[#@LINE+51]]:{{.*}} detached-at-exit {{.*}}command continues to the end of the program here, and frees persistent objects (in free_items)
// CHECK: t.c:[[#@LINE+66]]:{{.*}} detached-at-exit {{.*}}main continues to the end of the program here, and frees persistent objects (in free_items): nvm_detach() is put before it, and later changes do not reach the pool
// CODE: nvm_detach();
// CODE-NEXT: free_items();
// CODE-NEXT: exit(0);
// CODE: nvm_detach();
// CODE-NEXT: free_items();
// CODE-NEXT: return 0;
// AGAIN: 0 files edited
// THIRD: fecba
#include <stdio.h>
#include <stdlib.h>

struct item { struct item *next; int n; };
struct buffer { char text[10]; };
static struct item *items;
static struct buffer *buffer;

static void xfree(void *p) { free(p); }
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
static void remove_first(void) {
  struct item *i = items;
  items = i->next;
  xfree(i);
}
static void free_items(void) {
  while (items) {
    struct item *i = items->next;
    xfree(items);
    items = i;
  }
}
static void free_buffer(void) { xfree(buffer); }
static void command(int c) {
  if (c == '-') {
    remove_first();
  } else if (c == 'q') {
    free_items();
    exit(0);
  } else {
    add(c);
  }
}
int main(void) {
  int c;
  buffer = malloc(sizeof *buffer);
  load();
  while ((c = getchar()) != EOF)
    command(c);
  for (struct item *i = items; i; i = i->next)
    putchar(i->n);
  putchar('\n');
  free_buffer();
  free_items();
  return 0;
}
