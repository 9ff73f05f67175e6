// Pointers in a record of main that lead into that record: those in its slots are
// followed into the next run, and so are the heads of their lists.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --load load --out out t.c > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG --implicit-check-not=root-in-local
// RUN: sh %S/../../rewrite/Inputs/apply out/patches %runtime_include t.c
// RUN: gcc -Wall -Werror -I %runtime_include t.c %runtime_lib -lpthread -o t
// RUN: printf '1 2 3\n' > items
// RUN: printf '4\n' > four
// RUN: env NVM_POOL=%t/pool NVM_SIZE=64M ./t < four
// RUN: env NVM_POOL=%t/pool ./t < /dev/null | FileCheck %s
// LOG: nothing to act on
// CHECK: 4 3 2 1 of 4
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct slot {
  struct slot *next;
  int id;
};
struct pool {
  struct slot v[6], *free, *busy;
};
static void add(struct pool *p, int id) {
  if (!p->free && !p->busy)
    for (int k = 0; k < 6; k++) {
      p->v[k].next = p->free;
      p->free = &p->v[k];
    }
  struct slot *s = p->free;
  if (!s)
    return;
  p->free = s->next;
  s->id = id;
  s->next = p->busy;
  p->busy = s;
}
static void load(struct pool *p, FILE *in) {
  int id;
  while (fscanf(in, "%d", &id) == 1)
    add(p, id);
}
int main(void) {
  struct pool pool;
  char line[80];
  int n = 0;
  memset(&pool, 0, sizeof pool);
  FILE *in = fopen("items", "r");
  if (in) {
    load(&pool, in);
    fclose(in);
  }
  while (fgets(line, sizeof line, stdin))
    add(&pool, atoi(line));
  for (struct slot *s = pool.busy; s; s = s->next, n++)
    printf("%d ", s->id);
  printf("of %d\n", n);
}
