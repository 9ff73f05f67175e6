// A table of the statics that are saved, by address: the statics come back, the
// addresses are those of the new run. Which room it began in comes back, too.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s saved_table.c
// RUN: %nvmove --load load saved_table.c > out
// RUN: FileCheck %s --input-file out
// CHECK: 1 root
// CHECK-NEXT: start
// CHECK: 3 restored scalars
// CHECK-NEXT: place
// CHECK-NEXT: score
// CHECK-NEXT: turns
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include saved_table.c
// RUN: gcc -fPIE -pie -I %runtime_include saved_table.c %runtime_lib -o app
// RUN: printf abc | env NVM_POOL=%t/pool NVM_SIZE=32M ./app > log
// RUN: printf abc | env NVM_POOL=%t/pool ./app >> log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG: 3 1 294 at home
// LOG-NEXT: 6 2 588 at home
#include <stdio.h>
#include <string.h>

struct room {
  const char *name;
};
static struct room rooms[] = {{"nowhere"}, {"home"}};
static struct room *here = &rooms[1], *start;
static int turns, place[4];
static long score;
static struct saved {
  void *address;
  int width;
} table[] = {{&turns, sizeof turns},
             {place, sizeof place},
             {&score, sizeof score},
             {NULL, 0}};

static void load(FILE *f) {
  struct saved *s;
  for (s = table; s->address; s++)
    if (fread(s->address, s->width, 1, f) != 1)
      memset(s->address, 0, s->width);
  start = here;
}

int main(void) {
  int c;
  FILE *f = fopen("state", "r");
  if (f)
    load(f);
  while ((c = getchar()) != EOF) {
    turns++;
    place[c % 4]++;
    score += c;
  }
  printf("%d %d %ld %s %s\n", turns, place['a' % 4], score,
         table[0].address == &turns ? "at" : "lost", here->name);
  return start == &rooms[0];
}
