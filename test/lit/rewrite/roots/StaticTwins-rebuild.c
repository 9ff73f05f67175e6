// Objects that point to static objects and to functions, in a program that is
// killed and started again as another build: other compiler, other optimisation,
// position-independent or not, other things before them in memory.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load shapes.c > out
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include shapes.c
// RUN: FileCheck %s --input-file shapes.c
// CHECK:      NVM(s->ops) = kind == 's' ? nvm_twin(&square) : nvm_twin(&circle);
// CHECK-NEXT: NVM(s->scale) = kind == 's' ? nvm_code(by_two) : nvm_code(&by_three);
// CHECK:      if (s->scale == nvm_code(by_two))
// CHECK:      NVM_REGISTER(shapes) {
// CHECK-DAG:  NVM_TWIN(square);
// CHECK-DAG:  NVM_TWIN(circle);
// CHECK-DAG:  NVM_CODE(by_two);
// CHECK-DAG:  NVM_CODE(by_three);
//
// RUN: gcc -O0 -fno-pie -no-pie -I %runtime_include shapes.c %runtime_lib -o first
// RUN: %clang -O2 -fPIE -pie -I %runtime_include pad.c shapes.c %runtime_lib -o second
// RUN: gcc -Os -fPIE -pie -fno-toplevel-reorder -I %runtime_include shapes.c pad.c %runtime_lib -o third
//
// Without a pool: the plain program.
// RUN: ./first three < quit | grep -qx '3 shapes, 1 scaled by two, sum 65'
// With one, killed in the middle, by each build in turn.
// RUN: env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./first three < kill > log 2>&1
// RUN: env NVM_POOL=%t/pool ./second other < quit 2> log | grep -qx '4 shapes, 2 scaled by two, sum 83'
// RUN: env NVM_POOL=%t/pool not --crash ./third other < kill > log 2>&1
// RUN: env NVM_POOL=%t/pool ./first < quit 2> log | grep -qx '5 shapes, 3 scaled by two, sum 101'
//
// What objects point to is gone from the next version: refused by name.
// RUN: sed 's/by_three/by_four/g' shapes.c > renamed.c
// RUN: gcc -I %runtime_include renamed.c %runtime_lib -o renamed
// RUN: env NVM_POOL=%t/pool not ./renamed < quit > log 2>&1
// RUN: grep 'function by_three, which this program does not have \[pool-layout\]' log
// RUN: sed 's/circle/disc/g' shapes.c > renamed.c
// RUN: gcc -I %runtime_include renamed.c %runtime_lib -o renamed
// RUN: env NVM_POOL=%t/pool not ./renamed < quit > log 2>&1
// RUN: grep 'static circle, which this program does not have \[pool-layout\]' log
// A member of another type: refused by the names of type and field.
// RUN: sed 's/long size;/double size;/' shapes.c > retyped.c
// RUN: gcc -I %runtime_include retyped.c %runtime_lib -o retyped
// RUN: env NVM_POOL=%t/pool not ./retyped < quit > log 2>&1
// RUN: grep 'type shape .*: field size was an integer and is now a real number \[pool-layout\]' log
// And the pool is as it was.
// RUN: env NVM_POOL=%t/pool ./second < quit 2> log | grep -qx '5 shapes, 3 scaled by two, sum 101'
//
// RUN: %nvmove --load load --out again shapes.c > out
// RUN: not ls again/patches

//--- three
s 2
c 3
c 2
//--- other
s 100
//--- quit
q 0
//--- kill
s 3
k 0
//--- pad.c
int padding[30000];
int pad(int x) {
  for (int i = 0; i < 30000; i++)
    padding[i] = x += padding[(i * 7) % 30000];
  return x;
}
//--- shapes.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static long square_area(long x) { return x * x; }
static long circle_area(long x) { return 3 * x * x / 2; }

struct shape_ops {
  const char *name;
  long (*area)(long);
};
static const struct shape_ops square = {"square", square_area};
static const struct shape_ops circle = {"circle", circle_area};

static long by_two(long x) { return 2 * x; }
static long by_three(long x) { return 3 * x; }

struct shape {
  const struct shape_ops *ops;
  long (*scale)(long);
  long size;
  struct shape *next;
};
static struct shape *shapes;

static void add(char kind, long size) {
  struct shape *s = malloc(sizeof *s);
  if (s == NULL)
    return;
  s->ops = kind == 's' ? &square : &circle;
  s->scale = kind == 's' ? by_two : &by_three;
  s->size = size;
  s->next = shapes;
  shapes = s;
}

void load(const char *path) {
  FILE *f = fopen(path, "r");
  char kind;
  int size;
  while (f != NULL && fscanf(f, " %c %d", &kind, &size) == 2)
    add(kind, size);
  if (f != NULL)
    fclose(f);
}

static void report(void) {
  int count = 0, by_two_count = 0;
  long sum = 0;
  for (struct shape *s = shapes; s != NULL; s = s->next) {
    count++;
    if (s->scale == by_two)
      by_two_count++;
    sum += s->scale(s->ops->area(s->size));
  }
  printf("%d shapes, %d scaled by two, sum %ld\n", count, by_two_count, sum);
}

static void command(char kind, int size) {
  if (kind == 'q')
    report();
  else if (kind == 'k')
    raise(SIGKILL);
  else
    add(kind, size);
}

int main(int argc, char **argv) {
  char kind;
  int size;
  if (argc > 1)
    load(argv[1]);
  while (scanf(" %c %d", &kind, &size) == 2)
    command(kind, size);
  return 0;
}
