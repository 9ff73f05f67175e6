// A position-independent program has its statics at the same addresses in each
// run, so that a value that is computed from one stays right: no word is looked
// for, and no pool refused. With NVM_ASLR=1 it is.
//
// RUN: rm -rf %t && mkdir %t && cp %s %t/same.c && cd %t
// RUN: %nvmove --notes --load load same.c > out
// RUN: FileCheck %s --input-file out
// CHECK: computed-from-static {{.*}}node.seal may hold a value computed from the address of a static
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include same.c
// RUN: gcc -fPIE -pie -I %runtime_include same.c %runtime_lib -o app
// RUN: sh -c 'for line in "1 2" "3" "4"; do echo $line | NVM_ASLR=0 NVM_POOL=%t/pool NVM_SIZE=32M ./app "two words" last; done' > log 2> said
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// RUN: FileCheck %s --input-file said --check-prefix=SAID
// LOG:      two words, last: 1 of 1 right
// LOG-NEXT: two words, last: 2 of 2 right
// LOG-NEXT: randomised for others: 1
// LOG-NEXT: name: app
// LOG-NEXT: two words, last: 3 of 3 right
// LOG-NEXT: randomised for others: 1
// LOG-NEXT: name: app
// LOG-NEXT: two words, last: 4 of 4 right
// LOG-NEXT: randomised for others: 1
// LOG-NEXT: name: app
// SAID-NOT: position-independent
// SAID-NOT: were updated
//
// What sits between the kernel and the program is left alone.
// RUN: sh -c 'echo 5 | NVM_ASLR=0 NVM_POOL=%t/other NVM_SIZE=32M "$(readelf -l app | sed -n "s/.*interpreter: //; s/]$//p")" ./app two words' > log 2> said
// RUN: FileCheck %s --input-file log --check-prefix=LOADER
// RUN: FileCheck %s --input-file said --check-prefix=MOVES
// LOADER: two, words: 1 of 1 right
// MOVES: this program is position-independent: {{.*}} is not zero: node.seal; link with -no-pie, or allow it to turn address randomisation off
//
// RUN: rm pool && sh -c 'echo 1 | NVM_ASLR=1 NVM_POOL=%t/pool NVM_SIZE=32M ./app two words' > log 2> said
// RUN: FileCheck %s --input-file said --check-prefix=MOVES
// RUN: echo 2 | env NVM_ASLR=1 NVM_POOL=%t/pool not ./app two words 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: statics have other addresses in this build, and these may contain pointers to them: node.seal [pointers-unknown]

#include <stdio.h>
#include <stdlib.h>

struct node {
  struct node *next;
  unsigned long seal;
};
static struct node all = {&all, 0};
static int key;

static void add(unsigned long n) {
  struct node *new = malloc(sizeof(*new));
  new->seal = (unsigned long)&key ^ n;
  new->next = all.next;
  all.next = new;
}

static void load(void) {
  FILE *file = fopen("saved", "r");
  unsigned long n;
  if (!file)
    return;
  while (fscanf(file, "%lu", &n) == 1)
    add(n);
  fclose(file);
}

int main(int argc, char **argv) {
  unsigned long n;
  load();
  while (scanf("%lu", &n) == 1) {
    int count = 0, right = 0;
    add(n);
    for (struct node *p = all.next; p != &all; p = p->next, count++)
      right += ((unsigned long)&key ^ p->seal) < 10;
    printf("%s, %s: %d of %d right\n", argv[argc - 2], argv[argc - 1], right,
           count);
    fflush(stdout);
  }
  fflush(stdout);
  return system("printf 'randomised for others: '; grep -c '^00000000' "
                "/proc/self/personality; printf 'name: '; cat "
                "/proc/$PPID/comm");
}
