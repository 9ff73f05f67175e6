// What is made on first use, and the flag that says so, come back together or
// not at all: what is computed, or kept by a library, is made again by each
// start, and what is data comes back. Where one flag stands for both, or where
// no start makes it again, that is reported.
//
// RUN: rm -rf %t && mkdir -p %t && cp %s %t/app.c && printf 'ab' > %t/state
// RUN: cd %t && not %nvmove --load load --out %t/out app.c > %t/log
// RUN: FileCheck %s --input-file %t/log
// CHECK: restored scalars
// CHECK-NOT: {{^ +(made|first|done|crc|odd|squares|compiled|mixed) }}
// CHECK: room {{ *}}is set once, together with restored data, at app.c
// CHECK: started is set
// CHECK-NOT: {{^ +(made|first|done|crc|odd|squares|compiled|mixed) }}
// CHECK: findings to act on
// CHECK-DAG: app.c:[[#@LINE+82]]:{{.*}} split-guard {{ *}}mixed says that it has been created, once: what regcomp() returns, which ends with the process, and total, which is restored
// CHECK-DAG: app.c:[[#@LINE+104]]:{{.*}} split-guard {{ *}}compiled says that it has been created, once: what regcomp() returns, which ends with the process, and only the load creates it
// CHECK-NOT: split-guard
// CHECK-NOT: set-by-load
// RUN: cd %t && cat out/patches/*.patch | patch -p1 --fuzz=0
// RUN: cd %t && gcc -I %runtime_include app.c %runtime_lib -o app
// RUN: cd %t && printf 'c?' | env NVM_POOL=%t/pool NVM_SIZE=32M ./app > first
// RUN: FileCheck %s --check-prefix=FIRST --input-file %t/first
// RUN: cd %t && printf 'd?' | env NVM_POOL=%t/pool ./app > again
// RUN: FileCheck %s --check-prefix=AGAIN --input-file %t/again
// FIRST: abc 3 8 9 16 25 1 0
// The total is what is reported lost.
// AGAIN: abcd {{[0-9]+}} 8 9 16 25 1 0
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct doc {
  int kind;
  struct doc *next;
};
static struct doc *docs, **tail;

// By an element of the table itself, in a function of its own.
static unsigned crc[8];
static void fill(void) {
  for (int i = 0; i < 8; i++)
    crc[i] = i * i;
}
static unsigned crc_of(int c) {
  if (!crc[1])
    fill();
  return crc[c & 7];
}

// The other way, and left early.
static int first = 1, squares[8];
static int square(int c) {
  if (first) {
    for (int i = 0; i < 8; i++)
      squares[i] = i * i;
    first = 0;
  }
  return squares[c & 7];
}
static int made, odd[8];
static void make(void) {
  if (made)
    return;
  for (int i = 0; i < 8; i++)
    odd[i] = 2 * i + 1;
  made = 1;
}

// Counted in the test; what a library keeps.
static int done;
static regex_t shape;
static int matches(int c) {
  char text[2] = {c, 0};
  if (!done++)
    regcomp(&shape, "[a-z]", REG_NOSUB);
  return !regexec(&shape, text, 0, NULL, 0);
}

// Data, and what goes with it.
static int started, room;
static void start(void) {
  if (!started) {
    room = 8;
    docs = NULL;
    tail = &docs;
    started = 1;
  }
}

// Both by one flag.
static int mixed, total;
static regex_t other;
static void both(void) {
  if (mixed == 0) {
    mixed = 1;
    total = 0;
    regcomp(&other, "[0-9]", REG_NOSUB);
  }
}

// By the load alone.
static int compiled;
static regex_t third;
static void add(int c) {
  struct doc *d = calloc(1, sizeof *d);
  d->kind = c;
  *tail = d;
  tail = &d->next;
  total++;
}
static void load(const char *name) {
  FILE *f = fopen(name, "r");
  int c;
  start();
  both();
  if (!compiled) {
    regcomp(&third, "[0-9]", REG_NOSUB);
    compiled = 1;
  }
  while (f && (c = fgetc(f)) != EOF) {
    make();
    if (crc_of(c) + square(c) + odd[c & 7] + matches(c))
      add(c);
  }
  if (f)
    fclose(f);
}

static void command(int c) {
  char text[2] = {c, 0};
  start();
  both();
  make();
  if (c != '?') {
    if (matches(c) && total < room)
      add(c);
    return;
  }
  for (struct doc *d = docs; d; d = d->next)
    putchar(d->kind);
  printf(" %d %d %d %u %d %d %d\n", total, room, odd[4], crc_of(4), square(5),
         matches('a'), regexec(&other, "1", 0, NULL, 0));
  fflush(stdout);
}

int main(void) {
  load("state");
  for (char line[2]; read(0, line, 1) == 1;)
    command(line[0]);
  return 0;
}
