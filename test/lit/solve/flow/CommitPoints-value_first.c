// A value that is computed by what writes to a file, and so commits, is computed
// before its store is announced; so where a section ends in there.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove_act --load load --out out t.c > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// RUN: sh %S/../../rewrite/Inputs/apply out/patches %runtime_include t.c
// RUN: FileCheck %s --input-file t.c
// RUN: gcc -Wall -Wextra -Werror -Wno-unused-parameter -I %runtime_include t.c %runtime_lib -o t
// RUN: not %nvmove verify --load load t.c > verify
// RUN: FileCheck %s --input-file verify --check-prefix=VERIFY
// RUN: %nvmove_act --load load --out again t.c > log2
// RUN: FileCheck %s --input-file log2 --check-prefix=AGAIN
// RUN: printf 'a' > state
// RUN: printf 'ndck' | not --crash env NVM_POOL=%t/pool NVM_SIZE=64M NVM_VERIFY=1 ./t 2> err
// RUN: not grep unannounced err
// RUN: env NVM_POOL=%t/pool ./t < /dev/null | FileCheck %s --check-prefix=OUT
// CHECK: {{^}}  if (!(NVM_SET(first->name, ask("name"))))
// CHECK: {{^}}  NVM_CHANGE(first->price, +=, *ask("price") == '?' ? 2 : 3);
// CHECK: {{^}}  struct item *also = NVM_SET(first->next, NVM_SET(last->twin, make(ask("next"), (struct pair){1, 2})));
// CHECK: {{^}}  NVM_OBJ(first)->flag = *ask("flag"); // a bit-field
// LOG: store-across-output {{.*}}(in chain)
// LOG-NOT: store-across-output
// AGAIN: 0 files edited
// VERIFY: 1 place is not
// OUT: ? 5 a ? 1 2
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct pair { int a, b; };
struct item {
  struct item *next, *twin;
  char *name;
  int price;
  unsigned flag : 8;
  struct pair pair;
};
static struct item *first, *last;
static char answer[8];

static char *ask(const char *what) {
  if (write(1, what, strlen(what)) < 0)
    return NULL;
  strcpy(answer, "?");
  return strdup(answer);
}
static struct item *make(const char *name, struct pair pair) {
  struct item *i = calloc(1, sizeof *i);
  i->name = strdup(name);
  i->price = 3;
  i->pair = pair;
  return i;
}
static void load(const char *file) {
  char b[8];
  FILE *f = fopen(file, "r");
  if (!f)
    return;
  while (fscanf(f, "%7s", b) == 1)
    first = last = make(b, (struct pair){0, 0});
  fclose(f);
}
static void rename_it(void) {
  if (!(first->name = ask("name")))
    abort();
}
static void dearer(void) {
  first->price += *ask("price") == '?' ? 2 : 3;
}
static void chain(void) {
  struct item *also = first->next = last->twin = make(ask("next"), (struct pair){1, 2});
  if (also)
    puts(also->name);
  first->flag = *ask("flag"); // a bit-field
}
static void command(int c) {
  if (c == 'n')
    rename_it();
  else if (c == 'd')
    dearer();
  else if (c == 'c')
    chain();
  else
    raise(SIGKILL);
}
int main(void) {
  int c;
  load("state");
  while ((c = getchar()) != EOF)
    command(c);
  printf("%s %d a %s %d %d\n", first->name, first->price, first->next->name,
         first->twin->pair.a, first->twin->pair.b);
  return 0;
}
