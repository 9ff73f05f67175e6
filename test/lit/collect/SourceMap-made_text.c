// What a macro also makes a string of keeps its words: the program prints them. What would have
// to change there is reported, and done where a hook stands before it. A macro that makes a
// string of something else in its text is edited as ever.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: gcc t.c -o t && printf '3 4' | ./t data > original
// RUN: %nvmove_act --load load t.c > out
// RUN: FileCheck %s --input-file out
// CHECK: uneditable-call{{ +}}strncpy: may write persistent memory
// CHECK: uneditable-store{{ +}}this store cannot be announced in place (in change) (and 2 more places)
// RUN: sh %S/../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: FileCheck %s --input-file t.c --check-prefix=TEXT
// TEXT: #define ADD(to, n) do { printf("add to %s\n", #to); NVM(to) += (n); } while (0)
// TEXT: TRACE(strncpy(a->owner, "some", 15));
// TEXT: TRACE(a->cents += n);
// TEXT: LOG(a->cents++);
// TEXT: assert((a->cents -= 1) != -1);
// TEXT: ADD(a->cents, 1);
// TEXT: TRACE(ADD(a->cents, 1));
// RUN: gcc t.o %runtime_lib -o t && printf '3 4' | ./t data > moved
// RUN: cmp original moved
//
// With hooks before them there is nothing to act on, and no store is missed.
// RUN: sed -i -e 's/strncpy(/nvm_strncpy(/' -e 's/^  TRACE(a->/  (void)NVM_OBJ(a);\n&/' t.c
// RUN: sed -i -e 's/^  LOG(/  (void)NVM_OBJ(a);\n&/' -e 's/^  assert(/  (void)NVM_OBJ(a);\n&/' t.c
// RUN: %nvmove --load load --out again t.c -- -I %runtime_include > out
// RUN: not ls again/patches
// RUN: %nvmove verify --load load t.c -- -I %runtime_include

//--- data
1
//--- t.c
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define TRACE(statement) do { printf("> %s\n", #statement); statement; } while (0)
#define LOG(e) SHOW(e)
#define SHOW(e) printf(#e " = %d\n", (e))
#define ADD(to, n) do { printf("add to %s\n", #to); to += (n); } while (0)
struct account { struct account *next; int cents; char owner[16]; };
static struct account *accounts;
static void change(struct account *a, int n) {
  TRACE(strncpy(a->owner, "some", 15));
  TRACE(a->cents += n);
  LOG(a->cents++);
  assert((a->cents -= 1) != -1);
  ADD(a->cents, 1);
  TRACE(ADD(a->cents, 1));
}
static void load(FILE *f) {
  int n;
  while (fscanf(f, "%d", &n) == 1) {
    struct account *a = calloc(1, sizeof *a);
    if (!a)
      abort();
    change(a, n);
    a->next = accounts;
    accounts = a;
  }
}
int main(int argc, char **argv) {
  int n;
  FILE *f = fopen(argv[argc - 1], "r");
  if (f) {
    load(f);
    fclose(f);
  }
  while (scanf("%d", &n) == 1)
    change(accounts, n);
  printf("%s %d\n", accounts->owner, accounts->cents);
  return 0;
}
