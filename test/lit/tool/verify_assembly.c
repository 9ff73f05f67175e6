// Assembly that stores nowhere but in its operands is no finding, and what is one
// is accepted by a comment in its line.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load list.c > log
// RUN: not grep inline-assembly log
// RUN: sh -c 'for p in nvmove-out/patches/*.patch; do patch -s -p1 < $p; done'
// RUN: %nvmove verify --load load list.c | FileCheck %s --check-prefix=GOOD
// GOOD-NOT: error:
// GOOD: may write the heap; all are announced{{$}}
//
// RUN: cat list.c stores.c > bad.c
// RUN: not %nvmove verify --load load bad.c > log ; FileCheck %s --input-file log --check-prefix=BAD
// BAD-COUNT-2: error: inline assembly: what it writes besides its operands is not seen (in {{implicit|clobbers}}) [not-known]
// BAD: error: item.n: item.n is persistent, and no hook {{.*}} (in operand) [unannounced-store]
// BAD-NOT: error:
// BAD: 3 places are not as they should be{{$}}
// An announcement outlives it, too, if it stores nothing.
// RUN: not grep -E "(paused|moved)" log
//
// RUN: sed 's|// implicit|// nvmove: accepted, of this file|; s|/. clobbers ./|/* nvmove: accepted */|; s|// operand|// not nvmove: accepted|' bad.c > accepted.c
// RUN: not %nvmove verify --load load --out found accepted.c > log ; FileCheck %s --input-file log --check-prefix=ACCEPTED
// ACCEPTED: (in operand) [unannounced-store]
// ACCEPTED-NEXT: 1 place is not as it should be; 2 places are accepted by a comment
// RUN: FileCheck %s --input-file found/verify.json --check-prefix=JSON
// JSON:      "accepted": [
// JSON:      "function": "implicit",
// JSON:      "findings": [
// JSON:      "function": "operand",
// RUN: sed '/not nvmove/d' accepted.c > all.c
// RUN: %nvmove verify --load load all.c | FileCheck %s --check-prefix=ALL
// ALL: all others are announced; 2 places are accepted by a comment

//--- list.c
#include <stdio.h>
#include <stdlib.h>
struct item { struct item *next; int n; };
static struct item *first;
static void relax(void) { __asm__ volatile("pause"); __asm__ volatile("rep; nop" : : : "memory"); }
static void barrier(void) { __asm__ volatile("" : : : "memory"); }
static unsigned long cycles(void) {
  unsigned low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  return (unsigned long)high << 32 | low;
}
static unsigned crc(unsigned sum, const unsigned char *p) {
  __asm__("crc32b (%1), %0" : "+r"(sum) : "r"(p));
  return sum;
}
static void add(int n) {
  struct item *i = malloc(sizeof *i);
  if (!i) return;
  i->n = n;
  barrier();
  i->next = first;
  first = i;
}
static void load(const char *path) {
  unsigned char c;
  unsigned sum = 0;
  int n;
  FILE *f = fopen(path, "r");
  relax();
  while (f && fscanf(f, "%d %c", &n, &c) == 2) {
    sum = crc(sum, &c);
    add(n);
  }
  printf("%u %lu\n", sum, cycles());
}
int main(int argc, char **argv) {
  char line[80];
  if (argc > 1) load(argv[1]);
  while (fgets(line, sizeof line, stdin)) add(atoi(line));
  return 0;
}

//--- stores.c
void implicit(void) {
  __asm__ volatile("movl $0, counter"); // implicit
}
void clobbers(struct item *i) {
  __asm__ volatile("movl $0, (%0)" : : "r"(i) : "memory"); /* clobbers */
}
void operand(struct item *i) {
  __asm__ volatile("incl %0" : "+m"(i->n)); // operand
}
void paused(struct item *i) {
  NVM_OBJ(i);
  __asm__ volatile("pause");
  i->n = 1;
}
