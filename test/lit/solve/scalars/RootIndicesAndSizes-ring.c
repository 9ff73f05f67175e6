// Queues in static arrays: the load puts things in, commands alone take them.
// The number of the first one only ever moves on, and is restored with the array.
// One that is set to something else is told.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load --section command app.c > out
// RUN: FileCheck %s --input-file out
// CHECK:      7 restored scalars
// CHECK-NEXT: head {{ *}}advances in restored data
// CHECK-NEXT: names.first {{ *}}advances in restored data
// CHECK-NEXT: names.last {{ *}}counts what is loaded
// CHECK-NEXT: numbers {{ *}}gets a value from the file
// CHECK-NEXT: output {{ *}}advances in restored data
// CHECK-NEXT: put {{ *}}is an index or offset into what is loaded
// CHECK-NEXT: tail {{ *}}counts what is loaded
// CHECK-NOT:  index-not-kept
// CHECK:      index-not-kept {{.*}}where is an index or offset into what a root points to, and is not restored
// CHECK-NOT:  index-not-kept
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'ttx' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: printf 't' | env NVM_POOL=%t/pool ./app >> log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG:      3 3 3
// LOG-NEXT: 4 4 4
// LOG-NEXT: 5 5 5

//--- data
3 4 5 6
//--- app.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct event {
  int at, kind;
};
static struct event ring[8];
static unsigned head, tail;
static int numbers[8], output, put;
static int where;
static struct {
  int *slots[8];
  unsigned first, last;
} names;

static void post(int at) {
  int *name = malloc(sizeof *name);
  if (!name)
    abort();
  *name = at;
  ring[tail % 8].at = at;
  ring[tail % 8].kind = at & 1;
  tail++;
  numbers[put] = at;
  put = (put + 1) % 8;
  names.slots[names.last++ % 8] = name;
}

static void load(void) {
  FILE *f = fopen("data", "r");
  int v;
  if (!f)
    return;
  while (fscanf(f, "%d", &v) == 1)
    post(v);
  fclose(f);
}

static void command(int c) {
  struct event *e;
  if (c == 'x')
    kill(getpid(), SIGKILL);
  if (c == 'w')
    where = getchar() & 7;
  if (c == 'n')
    numbers[where]++;
  if (c == 't' && head != tail) {
    e = &ring[head++ % 8];
    printf("%d %d %d\n", e->at, numbers[output], *names.slots[names.first % 8]);
    names.first++;
    output = (output + 1) % 8;
    fflush(stdout);
  }
}

int main(void) {
  int c;
  load();
  while ((c = getchar()) != EOF)
    command(c);
  return 0;
}
