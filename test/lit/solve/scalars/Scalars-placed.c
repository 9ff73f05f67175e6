// The load sets elements of arrays to a constant, and the file says which: the
// array comes back. By name, in a record, and through a pointer.
//
// RUN: rm -rf %t && mkdir -p %t && cp %s %t/app.c && printf 'bd' > %t/state
// RUN: cd %t && %nvmove --load load --out %t/out app.c > %t/log
// RUN: FileCheck %s --input-file %t/log
// CHECK: restored scalars
// CHECK: days.open is set where the file decides, at app.c:[[@LINE+42]]
// CHECK: known {{ *}}is set where the file decides, at app.c:[[@LINE+40]]
// CHECK-NOT: {{^  (chosen|plain)}}
// CHECK: set-by-load plain is set
// CHECK-NOT: set-by-load
// RUN: cd %t && cat out/patches/*.patch | patch -p1 --fuzz=0
// RUN: cd %t && gcc -I %runtime_include app.c %runtime_lib -o app
// RUN: cd %t && printf 'f?' | env NVM_POOL=%t/pool NVM_SIZE=32M ./app > first
// RUN: cd %t && printf '?' | env NVM_POOL=%t/pool ./app > again
// RUN: cat %t/first %t/again | FileCheck %s --check-prefix=SAID
// SAID:      01010100 01010100
// SAID-NEXT: 01010100 01010100
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct item {
  struct item *next;
  int n;
};
static struct item *items;
static unsigned char known[8], plain[8];
static struct {
  int used;
  char open[8];
} days;

static void add(int c) {
  struct item *i = malloc(sizeof *i);
  i->n = c;
  i->next = items;
  items = i;
}

static void load(const char *name) {
  FILE *f = fopen(name, "r");
  char *open = days.open;
  if (!f)
    return;
  for (int c; (c = getc(f)) != EOF;) {
    add(c);
    known[(c - 'a') & 7] = 1;
    open[c - 'a'] = 1;
    plain[3] = 1;
  }
  fclose(f);
}

static void command(int c) {
  if (c == '?') {
    for (int k = 0; k < 8; k++)
      printf("%d", known[k]);
    printf(" ");
    for (int k = 0; k < 8; k++)
      printf("%d", days.open[k]);
    printf("\n");
    fflush(stdout);
    return;
  }
  add(c);
  known[(c - 'a') & 7] = 1;
  days.open[(c - 'a') & 7] = 1;
  plain[3] = 2;
}

int main(void) {
  load("state");
  for (char c; read(0, &c, 1) == 1;)
    command(c);
  return plain[3] == 9;
}
