// What commands put into a union of a persistent record, and the load never
// does: the address of a function or of a static of the member's own type is
// followed. What a void * there may hold is told, for it may be any other use.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --notes --load load --section command app.c > out
// RUN: FileCheck %s --input-file out
// CHECK:      1 twin
// CHECK-NEXT: shout  item.u.run points to it
// CHECK:      1 followed static
// CHECK-NEXT: kinds  item.u.kind points to it
// CHECK-DAG: pointer-to-literal item.v.any may hold the address of a string literal
// CHECK-DAG: pointer-to-static item.v.any may point to counter
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc -fPIE -pie -I %runtime_include app.c %runtime_lib -o app
// RUN: printf r | env NVM_POOL=%t/r NVM_SIZE=32M ./app data > log
// RUN: printf k | env NVM_POOL=%t/k NVM_SIZE=32M ./app data >> log
// RUN: printf a | env NVM_POOL=%t/a NVM_SIZE=32M ./app data >> log
// RUN: printf t | env NVM_POOL=%t/t NVM_SIZE=32M ./app data >> log
// RUN: printf s | env NVM_POOL=%t/r ./app data >> log
// RUN: printf s | env NVM_POOL=%t/k ./app data >> log
// RUN: printf s | env NVM_POOL=%t/a ./app data >> log
// RUN: printf s | env NVM_POOL=%t/t ./app data >> log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG:      shout 1000
// LOG-NEXT: two
// LOG-NEXT: 1
// LOG-NEXT: literal

//--- data
1 2 3

//--- app.c
#include <stdio.h>
#include <stdlib.h>

struct kind {
  int uses;
  char name[12];
};
struct item {
  struct item *next;
  int tag;
  union {
    void (*run)(struct item *);
    struct kind *kind;
    long n;
  } u;
  union {
    long n;
    void *any;
    const char *text;
  } v;
};
static struct kind kinds[2] = {{0, "one"}, {0, "two"}};
static int counter;
static struct item *items;

static void shout(struct item *i) { printf("shout %d\n", i->tag); }

static void load(const char *name) {
  int n;
  FILE *f = fopen(name, "r");
  if (!f)
    return;
  while (fscanf(f, "%d", &n) == 1) {
    struct item *i = calloc(1, sizeof *i);
    if (!i)
      abort();
    i->tag = n;
    i->u.n = i->v.n = n;
    i->next = items;
    items = i;
  }
  fclose(f);
}

static void command(int c) {
  struct item *i = items;
  if (c == 'r')
    i->u.run = shout, i->tag = 1000;
  if (c == 'k')
    i->u.kind = &kinds[1], i->tag = 1001;
  if (c == 'a')
    i->v.any = &counter, i->tag = 1002;
  if (c == 't')
    i->v.text = "literal", i->tag = 1003;
  if (c == 's') {
    if (i->tag == 1000)
      i->u.run(i);
    else if (i->tag == 1001)
      ++i->u.kind->uses, printf("%s\n", i->u.kind->name);
    else if (i->tag == 1002)
      printf("%d\n", ++*(int *)i->v.any);
    else if (i->tag == 1003)
      printf("%s\n", i->v.text);
  }
}

int main(int argc, char **argv) {
  int c;
  load(argv[argc - 1]);
  while ((c = getchar()) != EOF)
    command(c);
  return 0;
}
