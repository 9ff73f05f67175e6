// Elements of vectors, parts of complex numbers and packed members are announced with what
// they are part of; a second run sees that.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load t.c > out
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: FileCheck %s --input-file t.c
// CHECK: NVM(o->v)[k & 3] += k;
// CHECK: NVM((*p).rows[k & 1])[1] = k;
// CHECK: NVM(__real__ o->c) += k;
// CHECK: NVM(__imag__ o->c) = k;
// CHECK: NVM((&o->wire)->length) += 1;
// RUN: gcc t.o %runtime_lib -o t
// RUN: echo 3 4 | env NVM_VERIFY=1 NVM_POOL=%t/pool NVM_SIZE=32M ./t data 2> log
// RUN: env NVM_POOL=%t/pool ./t data < /dev/null | FileCheck %s --check-prefix=OUT
// RUN: not grep unannounced log
// OUT: 4 0 1 3 c 8 4 rows 4 3 length 3
// RUN: %nvmove --load load --out again t.c -- -I %runtime_include > out
// RUN: not ls again/patches
// RUN: %nvmove verify --load load t.c -- -I %runtime_include

//--- data
1
//--- t.c
#include <stdio.h>
#include <stdlib.h>
typedef int v4 __attribute__((vector_size(16)));
struct __attribute__((packed)) wire { char kind; unsigned length; };
struct object {
  struct object *next;
  v4 v, rows[2];
  double _Complex c;
  struct wire wire;
};
static struct object *objects;
static void hit(struct object *o, int k) {
  struct object *p = o;
  o->v[k & 3] += k;
  (*p).rows[k & 1][1] = k;
  __real__ o->c += k;
  __imag__ o->c = k;
  (&o->wire)->length += 1;
}
static void load(FILE *f) {
  int k;
  struct object *o = malloc(sizeof *o);
  if (!o || fscanf(f, "%d", &k) != 1)
    exit(1);
  *o = (struct object){.next = objects, .v = {0, 0, 1, 0}};
  o->v[1] = 0;
  objects = o;
  hit(o, k);
  o->v[1] = 0;
}
int main(int argc, char **argv) {
  int k;
  FILE *f = fopen(argv[argc - 1], "r");
  if (f) {
    load(f);
    fclose(f);
  }
  while (scanf("%d", &k) == 1)
    hit(objects, k);
  struct object *o = objects;
  printf("%d %d %d %d c %g %g rows %d %d length %u\n", o->v[0], o->v[1],
         o->v[2], o->v[3], __real__ o->c, __imag__ o->c, o->rows[0][1],
         o->rows[1][1], o->wire.length);
  return 0;
}
