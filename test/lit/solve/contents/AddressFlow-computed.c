// A word with the parent's address and a colour: computed from addresses of the
// heap alone it has nothing to do with statics, and the program starts again
// wherever these lie. Where a static's address may be in it, that is reported.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load --out static program.c -- -DSENTINEL > out
// RUN: FileCheck %s --input-file out
// CHECK: computed-from-static {{.*}}node.up may hold a value computed from the address of a static
// RUN: FileCheck %s --input-file static/patches/1-roots.patch --check-prefix=STATIC
// STATIC: NVM_COMPUTED(struct node, up)
// A position-independent program says so before there is anything to lose.
// RUN: cp program.c sentinel.c
// RUN: sed 's/program[.]c/sentinel.c/' static/patches/1-roots.patch > 1.patch
// RUN: patch -s sentinel.c 1.patch
// RUN: gcc -DSENTINEL -fPIE -pie -I %runtime_include sentinel.c %runtime_lib -o moves
// RUN: printf x | env NVM_POOL=%t/moves.pool NVM_SIZE=32M not --crash ./moves 2> moves.log
// RUN: FileCheck %s --input-file moves.log --check-prefix=MOVES
// MOVES: this program is position-independent: a start with other addresses of its statics will be refused [pointers-unknown] once one of these, which may be computed from such addresses, is not zero: node.up; link with -no-pie, or allow it
// RUN: gcc -DSENTINEL -no-pie -fno-pie -I %runtime_include sentinel.c %runtime_lib -o stays
// RUN: printf x | env NVM_POOL=%t/stays.pool NVM_SIZE=32M not --crash ./stays 2> stays.log
// RUN: FileCheck %s --input-file stays.log --check-prefix=STAYS
// STAYS-NOT: position-independent
// RUN: %nvmove --load load program.c > out
// RUN: FileCheck %s --input-file out --check-prefix=NONE
// NONE-NOT: computed-from-static
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c --check-prefix=TEXT
// TEXT: NVM_STATIC(all);
// TEXT: NVM_COMPUTED_IN_HEAP(struct node, up)
// RUN: gcc -fPIE -pie -I %runtime_include program.c %runtime_lib -o app
// RUN: printf 'gca' > state
// RUN: printf ex | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app
// RUN: printf bx | env NVM_POOL=%t/pool not --crash ./app
// RUN: env NVM_POOL=%t/pool ./app < /dev/null > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG: g cg ac ec ba root g

//--- program.c
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct list {
  struct list *next, *prev;
};
struct node {
  unsigned long up;
  struct node *left, *right;
  struct list all;
  int n;
};
static struct node *root;
static struct list all = {&all, &all};
#ifdef SENTINEL
static struct node nil;
#define NONE &nil
#else
#define NONE NULL
#endif

static struct node *parent(const struct node *it) {
  return (struct node *)(it->up & ~3ul);
}
static void insert(int n) {
  struct node *it = calloc(1, sizeof *it), *up = NONE, **link = &root;
  if (!it)
    abort();
  it->n = n;
  it->all.next = &all;
  it->all.prev = all.prev;
  all.prev->next = &it->all;
  all.prev = &it->all;
  while (*link) {
    up = *link;
    link = n < up->n ? &up->left : &up->right;
  }
  it->up = (unsigned long)up | 1;
  *link = it;
}
static void load(void) {
  int c;
  FILE *f = fopen("state", "r");
  if (!f)
    return;
  while ((c = fgetc(f)) != EOF)
    insert(c);
  fclose(f);
}
static void command(int c) {
  if (c == 'x')
    kill(getpid(), SIGKILL);
  insert(c);
}
int main(void) {
  int c;
  load();
  while ((c = getchar()) != EOF)
    command(c);
  struct node *it = NULL;
  for (struct list *e = all.next; e != &all; e = e->next) {
    it = (struct node *)((char *)e - offsetof(struct node, all));
    printf("%c", it->n);
    if (parent(it))
      printf("%c", parent(it)->n);
    printf(" ");
  }
  while (it && parent(it))
    it = parent(it);
  printf("root %c\n", it ? it->n : '-');
  return 0;
}
