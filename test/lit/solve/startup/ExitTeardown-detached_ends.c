// Where the end of a program is: behind the last save, before roots are cleared
// and before the loops that free; in what runs the main loop, in what exit()
// calls. Where a loop is entered again is no end: told.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove_act --notes --load load --out twice t.c -- -DAGAIN > again
// RUN: FileCheck %s --input-file again --check-prefix=AGAIN --implicit-check-not=at-exit
// RUN: %nvmove --notes --load load t.c > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG --implicit-check-not=at-exit
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: grep -v '^//' t.c | FileCheck %s --check-prefix=CODE --implicit-check-not=nvm_detach
// RUN: %nvmove --notes --load load --force t.c > log
// RUN: FileCheck %s --input-file log --check-prefix=TWICE --implicit-check-not=at-exit
// RUN: gcc -I %runtime_include t.c %runtime_lib -o t
// RUN: printf 'abc-de' | env NVM_POOL=%t/pool NVM_SIZE=64M ./t
// RUN: env NVM_POOL=%t/pool ./t < /dev/null > second
// RUN: rm -f state pool
// RUN: printf 'abc-deX' | env NVM_POOL=%t/pool NVM_SIZE=64M ./t
// RUN: env NVM_POOL=%t/pool ./t < /dev/null >> second
// RUN: FileCheck %s --input-file second --check-prefix=SECOND
// LOG-DAG: detached-at-exit {{.*}}last continues
// LOG-DAG: detached-at-exit {{.*}}save_and_free continues
// AGAIN: freed-at-exit {{.*}}serve continues to the end of the program here, and frees persistent objects (in remove_first): at the next start the pool would not contain them
// CODE: static void last(void) {
// CODE-NEXT: nvm_detach();
// CODE-NEXT: free_items();
// CODE: static void save_and_free(void) {
// CODE: save();
// CODE-NEXT: struct item *i = items, *next;
// CODE-NEXT: nvm_detach();
// CODE-NEXT: {{.*}}items = 
// TWICE: 0 files edited
// SECOND: edba
// SECOND: edba
#include <stdio.h>
#include <stdlib.h>

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
static void save(void) {
  FILE *f = fopen("state", "w");
  if (!f)
    return;
  for (struct item *i = items; i; i = i->next)
    fprintf(f, "%d ", i->n);
  fclose(f);
}
static void remove_first(void) {
  struct item *i = items;
  items = i->next;
  free(i);
}
static void free_items(void) {
  while (items)
    remove_first();
}
static void last(void) {
  free_items();
}
static void command(int c) {
  if (c == 'X')
    exit(0);
  if (c == '-')
    remove_first();
  else
    add(c);
}
/* A number read by nobody is taken away before the items are saved. */
static void save_and_free(void) {
  if (items && items->n == '?')
    remove_first();
  save();
  struct item *i = items, *next;
  items = NULL;
  for (; i; i = next) {
    next = i->next;
    free(i);
  }
}
static void show(void) {
  for (struct item *i = items; i; i = i->next)
    putchar(i->n);
  putchar('\n');
}
static void run(void) {
  int c;
  while ((c = getchar()) != EOF)
    command(c);
}
#ifdef AGAIN
static void serve(void) {
  run();
  free_items();
}
int main(int argc, char **argv) {
  load();
  serve();
  if (argc > 1)
    serve();
}
#else
int main(void) {
  atexit(last);
  load();
  run();
  show();
  save_and_free();
  return 0;
}
#endif
