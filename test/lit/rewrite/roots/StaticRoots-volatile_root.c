// Roots that lead to what is loaded, or to what ends with the process: a restart
// leaves there what this start has put there, in a static, in a member of one,
// and in an element of an array.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --notes --load load --out out t.c > log
// RUN: FileCheck %s --input-file log
// RUN: FileCheck %s --input-file out/patches/1-roots.patch --check-prefix=PATCH
// RUN: sh %S/../Inputs/apply out/patches %runtime_include t.c
// RUN: %nvmove verify --load load t.c
// RUN: gcc -I %runtime_include t.c %runtime_lib -o t
// RUN: printf '3 4' > state
// RUN: printf '5k' | not --crash env NVM_POOL=%t/pool NVM_SIZE=64M ./t first
// RUN: printf '6' | env NVM_POOL=%t/pool ./t second | FileCheck %s --check-prefix=OUT
// RUN: sed -i 's/NVM_ROOT_VOLATILE(now)/NVM_ROOT_POINTERS(now)/' t.c
// RUN: not %nvmove verify --load load t.c | FileCheck %s --check-prefix=LESS
// CHECK-DAG: pointer-to-volatile {{.*}}now may point to struct console, allocated here and not persistent: after a restart it has the value of that start
// CHECK-DAG: pointer-to-volatile {{.*}}both may point to struct console, allocated here and not persistent: after a restart it has
// PATCH-DAG: {{^}}+    NVM_ROOT_VOLATILE(now);
// PATCH-DAG: {{^}}+    NVM_ROOT_VOLATILE(both);
// PATCH-DAG: {{^}}+    NVM_ROOT_VOLATILE(view.at);
// PATCH-DAG: {{^}}+    NVM_ROOT_POINTERS(items);
// OUT: items 6 5 4 3, now second, at second, both second 4
// LESS: NVM_ROOT_POINTERS is here, but nvmove would write NVM_ROOT_VOLATILE [written-otherwise]
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
struct base { char text[16]; };
struct item { struct base base; struct item *next; };
struct console { struct base base; FILE *in; };
static struct item *items;
static struct base *now, *both[2];
static struct { int lines; struct base *at; } view;
static struct base *add(const char *text) {
  struct item *i = calloc(1, sizeof *i);
  if (!i)
    abort();
  snprintf(i->base.text, sizeof i->base.text, "%s", text);
  i->next = items;
  items = i;
  return &i->base;
}
static void attach(const char *name) {
  struct console *c = calloc(1, sizeof *c);
  if (!c)
    abort();
  snprintf(c->base.text, sizeof c->base.text, "%s", name);
  c->in = stdin;
  now = &c->base;
  view.at = &c->base;
  both[0] = &c->base;
}
static void load(const char *name) {
  char text[16];
  FILE *f = fopen(name, "r");
  if (!f)
    return;
  while (fscanf(f, "%15s", text) == 1) {
    struct base *b = add(text);
    now = b;
    view.at = b;
    both[1] = b;
  }
  fclose(f);
}
static void command(int c, const char *name) {
  char text[2] = {(char)c, 0};
  if (c == 'k')
    raise(SIGKILL);
  add(text);
  if (c == '5')
    attach(name);
}
int main(int argc, char **argv) {
  int c;
  if (argc != 2)
    return 1;
  attach(argv[1]);
  load("state");
  while ((c = getchar()) != EOF)
    command(c, argv[1]);
  printf("items");
  for (struct item *i = items; i; i = i->next)
    printf(" %s", i->base.text);
  printf(", now %s, at %s, both %s %s\n", now->text, view.at->text,
         both[0]->text, both[1]->text);
  return 0;
}
