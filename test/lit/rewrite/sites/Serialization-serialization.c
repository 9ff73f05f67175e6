// --no-serialization: the load, the save and what only they need can be left out.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --notes --load load --save save --no-serialization counter.c > out
// RUN: FileCheck %s --input-file out --check-prefix=OUT
// OUT: 4 functions only load or save
// OUT: patches/5-serialization.patch  1 file 
// OUT: 2 functions left out without serialization
// OUT: 2 stubs without serialization
//
// The patch applies without fuzz, and without the switch nothing changes.
// RUN: cp counter.c plain.c
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include counter.c
// RUN: FileCheck %s --input-file counter.c
// CHECK:      {{^}}static int readNumber(FILE *f, int *n);
// CHECK:      {{^}}#ifndef NVMOVE_NO_SERIALIZATION
// CHECK-NEXT: static int readNumber(FILE *f, int *n) {
// CHECK:      {{^}}} /* of readNumber */
// CHECK-NEXT: {{^}}#endif
// CHECK:      {{^}}#ifdef NVMOVE_NO_SERIALIZATION
// CHECK-NEXT: {{^}}#include <errno.h>
// CHECK-NEXT: {{^}}#endif
// CHECK-NEXT: int load(const char *path) {
// CHECK-NEXT: {{^}}#ifdef NVMOVE_NO_SERIALIZATION
// CHECK-NEXT: (void)path;
// CHECK-NEXT: errno = ENOENT;
// CHECK-NEXT: return -2;
// CHECK-NEXT: {{^}}#else
// CHECK:      return -2;
// CHECK:      {{^}}#endif
// CHECK-NEXT: }
// CHECK:      {{^}}static void shared(FILE *f, int n) { fprintf(f, "%d\n", n); }
// CHECK:      {{^}}#ifndef NVMOVE_NO_SERIALIZATION
// CHECK-NEXT: {{^}}static void writeAll
// CHECK:      FILE *save(const char *path){{$}}
// CHECK-NEXT: {
// CHECK:      errno = ENOTSUP;
// CHECK-NEXT: return 0;
//
// Both builds compile, link and run; that without it knows neither the readers nor the writers.
// RUN: gcc counter.o %runtime_lib -o with
// RUN: gcc -std=c99 -Wall -Wextra -Wno-unused-function -Werror -D_POSIX_C_SOURCE=200809L -DNVMOVE_NO_SERIALIZATION -I %runtime_include -c counter.c -o without.o
// RUN: %clang -std=c99 -Wall -Wextra -Wno-unused-function -Werror -D_POSIX_C_SOURCE=200809L -DNVMOVE_NO_SERIALIZATION -I %runtime_include -c counter.c -o without.o
// RUN: gcc without.o %runtime_lib -o without
// RUN: not grep -q readNumber without.o && not grep -q writeAll without.o
// RUN: printf '3 4' > file
// RUN: echo 5 | ./with file saved | FileCheck %s --check-prefix=WITH
// RUN: grep -qx 5 saved
// WITH: loaded
// WITH-NEXT: 5
// WITH-NEXT: 4
// WITH-NEXT: 3
// WITH-NEXT: saved
// RUN: echo 5 | env NVM_POOL=%t/pool NVM_SIZE=64M ./without file saved 2> log | FileCheck %s --check-prefix=WITHOUT
// WITHOUT-NOT: loaded
// WITHOUT: 5
// WITHOUT-NEXT: not saved
// RUN: echo 6 | env NVM_POOL=%t/pool ./without file saved 2> log | FileCheck %s --check-prefix=AGAIN
// AGAIN: 6
// AGAIN-NEXT: 5
//
// A second run changes nothing, and verify has nothing to say.
// RUN: %nvmove --notes --load load --save save --no-serialization --out again counter.c > out
// RUN: not ls again/patches
// RUN: not grep NVMOVE_NO_SERIALIZATION out
// RUN: %nvmove verify --load load counter.c
//
// Without the option no such patch is made.
// RUN: %nvmove --notes --load load --save save --out default plain.c > out
// RUN: not ls default/patches/5-serialization.patch
//
// What cannot be left out stays with all that it needs.
// RUN: sed 's/return -2;/return 1;/' plain.c > kept.c
// RUN: %nvmove --notes --load load --save save --no-serialization --out kept kept.c > out
// RUN: FileCheck %s --input-file out --check-prefix=KEPT
// KEPT: serialization-kept {{.*}}what load returns when it fails is unknown
// RUN: not grep -q readNumber kept/patches/5-serialization.patch
// RUN: grep -q writeAll kept/patches/5-serialization.patch
//
// One that never returns can give no failure back, whether it is declared so or not.
// RUN: cat plain.c leaves.c > leaves1.c && %nvmove --notes --load load --save save_and_exit --no-serialization --out leaves leaves1.c > out
// RUN: FileCheck %s --input-file out --check-prefix=LEAVES
// LEAVES: serialization-kept {{.*}}save_and_exit never returns, so it cannot report a failure
// RUN: sed 's/_Noreturn //' leaves1.c > leaves2.c && %nvmove --notes --load load --save save_and_exit --no-serialization --out undeclared leaves2.c > out
// RUN: FileCheck %s --input-file out --check-prefix=LEAVES
// RUN: sh -c 'for p in leaves/patches/*.patch; do patch -s -p1 < $p; done'
// RUN: gcc -std=c11 -Wall -Wextra -Wno-unused-function -Werror -DNVMOVE_NO_SERIALIZATION -D_POSIX_C_SOURCE=200809L -I %runtime_include -c leaves1.c
// RUN: %clang -std=c11 -Wall -Wextra -Wno-unused-function -Werror -DNVMOVE_NO_SERIALIZATION -D_POSIX_C_SOURCE=200809L -I %runtime_include -c leaves1.c

//--- leaves.c
_Noreturn void save_and_exit(void);
_Noreturn void save_and_exit(void) {
  FILE *f = fopen("last", "w");
  if (f)
    writeAll(f);
  exit(0);
}

//--- counter.c
#include <stdio.h>
#include <stdlib.h>

struct number { int n; struct number *next; };
static struct number *numbers;
static int readNumber(FILE *f, int *n);

static void add(int n) {
  struct number *x = malloc(sizeof *x);
  if (x == NULL)
    exit(1);
  x->n = n;
  x->next = numbers;
  numbers = x;
}

/* What only the load needs. */
static int readNumber(FILE *f, int *n) {
  return fscanf(f, "%d", n) == 1;
} /* of readNumber */

int load(const char *path);
int load(const char *path) {
  int n;
  FILE *f = fopen(path, "r");
  if (f == NULL)
    return -2;
  while (readNumber(f, &n))
    add(n);
  fclose(f);
  return 0;
}

/* The program prints with it too. */
static void shared(FILE *f, int n) { fprintf(f, "%d\n", n); }

static void writeAll(FILE *f)
{
  const struct number *x;
  for (x = numbers; x; x = x->next)
    shared(f, x->n);
}

FILE *save(const char *path);
FILE *save(const char *path)
{
  FILE *f = fopen(path, "w");
  if (f) {
    writeAll(f);
    fflush(f);
  }
  return f;
}

int main(int argc, char **argv) {
  int n;
  const struct number *x;
  if (argc < 3)
    return 1;
  if (load(argv[1]) == 0)
    puts("loaded");
  while (scanf("%d", &n) == 1)
    add(n);
  for (x = numbers; x; x = x->next)
    shared(stdout, x->n);
  puts(save(argv[2]) ? "saved" : "not saved");
  return 0;
}
