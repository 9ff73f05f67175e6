// --emulate: each read and write of a persistent type's field is delayed, and nothing else is done to the program.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove_act --load load --emulate pcm list.c > out
// RUN: FileCheck %s --input-file out --check-prefix=OUT
// OUT:     1 patch
// OUT:     patches/4-stores.patch
// OUT:     0 accesses without a place in the text
// OUT:     16 delay calls injected{{$}}
// OUT:     9 delay calls injected for reads
// OUT:     7 delay calls injected for writes
//
// RUN: cp list.c plain.c
// RUN: patch -s --fuzz=0 -p1 < nvmove-out/patches/4-stores.patch
// RUN: FileCheck %s --input-file list.c
// CHECK:      #define NVM_EMULATE_PCM
// CHECK-NEXT: #include <nvmove/emulate.h>
// The macro's other use assigns to it: not in its body, but at the use.
// CHECK:      #define VALUE(i) ((i)->value)
// CHECK-NEXT: #define SUM(i) (NVM_READ((i)->value) + 1)
// CHECK:      NVM_WRITE(VALUE(i) = value);
// CHECK-NEXT: NVM_WRITE(i->kind = 2);
// CHECK-NEXT: NVM_WRITE(i->next = items);
// CHECK:      for (; i; i = NVM_READ(i->next))
// CHECK-NEXT:   NVM_CHANGE_OF(i->seen++), sum += NVM_READ(VALUE(i)) + NVM_READ(i->kind) + NVM_READ(i->at[NVM_READ(i->kind)]);
// CHECK:      NVM_CHANGE_OF(i->at[1] += 2);
// CHECK-NEXT: NVM_WRITE(NVM_READ(i->next)->value = NVM_WRITE(i->value = 7));
// What is only measured or pointed to is neither, and a local one is not in the memory.
// CHECK:      n += sizeof(i->value);
// CHECK-NEXT: n += *(&i->value) == 7;
// CHECK-NEXT: local.value = 1;
// CHECK-NEXT: n += local.value;
//
// It compiles with both compilers, does what it did, and takes at least the time that the delays take: 21 reads and 6 writes a round.
// RUN: gcc -Wall -Wextra -Werror -I %runtime_include list.c %runtime_lib -o emulated
// RUN: %clang -fsyntax-only -Wall -Wextra -Werror -I %runtime_include list.c
// RUN: gcc plain.c -o plain
// RUN: ./plain > want && ./emulated > got && cmp want got
// RUN: %python %S/../Inputs/lasts.py 0.0113 ./emulated 10000
//
// The other profile differs in its figures alone; a second run has nothing to do.
// RUN: cp plain.c list.c
// RUN: %nvmove_act --load load --emulate stt-ram --force list.c > out
// RUN: FileCheck %s --input-file out --check-prefix=OUT
// RUN: patch -s --fuzz=0 -p1 < nvmove-out/patches/4-stores.patch
// RUN: grep -c 'define NVM_EMULATE_STT_RAM' list.c
// RUN: %nvmove_act --load load --emulate stt-ram --force --extra-arg -I%runtime_include list.c > out
// RUN: FileCheck %s --input-file out --check-prefix=AGAIN
// AGAIN: 0 patches
//
// Bad use: an error, and nothing is written.
// RUN: not %nvmove --load load --emulate pmc --out bad plain.c 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: --emulate has no profile 'pmc'; did you mean pcm? [unknown-profile]
// RUN: not ls bad
// RUN: not %nvmove --load load --emulate pcm --line-logs plain.c 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: --emulate writes one patch instead of all others

//--- list.c
#include <stdio.h>
#include <stdlib.h>

struct item {
  int value;
  unsigned kind : 3;
  unsigned seen : 20;
  int at[4];
  struct item *next;
};
static struct item *items;

#define VALUE(i) ((i)->value)
#define SUM(i) ((i)->value + 1)

static void add(int value) {
  struct item *i = calloc(1, sizeof *i);
  VALUE(i) = value;
  i->kind = 2;
  i->next = items;
  items = i;
}

static int load(const char *path) {
  FILE *f = fopen(path, "r");
  int n;
  if (!f)
    return -1;
  while (fscanf(f, "%d", &n) == 1)
    add(n);
  return fclose(f);
}

static int all(struct item *i) {
  int sum = 0;
  for (; i; i = i->next)
    i->seen++, sum += VALUE(i) + i->kind + i->at[i->kind];
  return sum;
}

int main(int argc, char **argv) {
  struct item local;
  int n = 0, rounds = argc > 1 ? atoi(argv[1]) : 1;
  if (load("state"))
    add(1), add(2), add(3);
  for (int r = 0; r < rounds; r++) {
    struct item *i = items;
    i->at[1] += 2;
    i->next->value = i->value = 7;
    n += sizeof(i->value);
    n += *(&i->value) == 7;
    local.value = 1;
    n += local.value;
    n += SUM(i) + all(i);
  }
  printf("%d\n", n);
  return 0;
}
