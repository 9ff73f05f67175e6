// Objects lead to a record on the stack of main, which pointers follow, and hold
// a hash of the address of a static. Linked with -no-pie the hash stays right,
// though the record lies elsewhere in each run. A position-independent program
// is refused by name, though no pointer leads to a static. A hash of the
// record's own address is to act on.
//
// RUN: rm -rf %t && mkdir %t && cd %t && sed '/^\/\//d' %s > t.c
// RUN: %nvmove --load load t.c > out
// RUN: FileCheck %s --input-file out
// A pointer that walks along what the record leads to is no root.
// CHECK: 1 root
// CHECK-NEXT: all.first
// CHECK: 1 followed static
// CHECK-NEXT: all
// CHECK: computed-from-static {{.*}}note.kind may hold {{.*}}from the address of a static
// CHECK-NOT: to act on
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: FileCheck %s --input-file t.c --check-prefix=TEXT
// TEXT: NVM_LITERALS();
// RUN: printf 'a\nbbb\n' > state
// RUN: gcc -no-pie -fno-pie -Wall -Wextra -Werror -I %runtime_include t.c %runtime_lib -o stays
// RUN: printf 'add c\nadd dddd\n' | env NVM_POOL=%t/stays.pool NVM_SIZE=32M ./stays
// RUN: printf 'dump\n' | env NVM_POOL=%t/stays.pool ./stays > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG: dddd large of 4{{$}}
// LOG-NEXT: c small of 4{{$}}
// LOG-NEXT: bbb large of 4{{$}}
// LOG-NEXT: a small of 4{{$}}
// RUN: gcc -fPIE -pie -I %runtime_include t.c %runtime_lib -o moves
// RUN: printf 'add c\n' | env NVM_POOL=%t/moves.pool NVM_SIZE=32M ./moves 2> log
// RUN: grep 'position-independent: .*note.kind; link with -no-pie' log
// RUN: printf 'dump\n' | env NVM_POOL=%t/moves.pool not ./moves 2> log
// RUN: grep 'note.kind.*pointers-unknown' log
//
// RUN: sed '/^static int small/d; s/strlen(t) > 2 ? &large : &small/l/; s/hash_of(&large)/hash_of(n->in)/' %s > own.c
// RUN: %nvmove_act --load load --out own own.c > out
// RUN: FileCheck %s --input-file out --check-prefix=OWN
// OWN: computed-from-static {{.*}}note.kind may hold a value computed from the address of a local variable of main
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct list;
struct note { struct note *next; struct list *in; uint64_t kind; char text[24]; };
struct list { struct note *first; long n; };
static int small, large;
static uint64_t hash_of(const void *p) { return (uint64_t)(uintptr_t)p * 0x9e3779b97f4a7c15u; }
static void add(struct list *l, const char *t) {
  struct note *n = calloc(1, sizeof *n);
  if (!n)
    exit(1);
  snprintf(n->text, sizeof n->text, "%s", t);
  n->in = l;
  n->kind = hash_of(strlen(t) > 2 ? &large : &small);
  n->next = l->first;
  l->first = n;
  l->n++;
}
static void load(struct list *l) {
  char t[24];
  FILE *f = fopen("state", "r");
  if (!f)
    return;
  while (fscanf(f, "%23s", t) == 1)
    add(l, t);
  fclose(f);
}
int main(void) {
  struct list all = {0, 0};
  char line[128], t[24];
  load(&all);
  for (struct note *n = all.first; n; n = n->next)
    printf("has %s\n", n->text);
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "add %23s", t) == 1) {
      add(&all, t);
    } else if (!strncmp(line, "dump", 4)) {
      for (struct note *n = all.first; n; n = n->next)
        printf("%s %s of %ld\n", n->text, n->kind == hash_of(&large) ? "large" : "small", n->in->n);
    }
    fflush(stdout);
  }
  return 0;
}
