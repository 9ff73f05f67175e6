// A seed that start-up mixes from what a function makes of random bytes, which are
// put into a block one at a time, or all at once, or what a generator makes of
// it, whose state is in a record and which works in a local array.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c && echo 'ann bob' > state
// RUN: %nvmove --load load t.c -- -DAT_ONCE | FileCheck %s
// RUN: %nvmove --load load --force t.c -- -DGENERATOR | FileCheck %s
// RUN: %nvmove --load load --force t.c | FileCheck %s
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: gcc -I %runtime_include t.c %runtime_lib -o t
// RUN: echo 'cid dan die' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./t
// RUN: echo 'eve all' | env NVM_POOL=%t/pool ./t | FileCheck %s --check-prefix=SAYS
//
// A number that stands in a text is a setting, and no chance.
// RUN: %nvmove --load load --force t.c -- -DOF_TEXT | FileCheck %s --check-prefix=TEXT
//
// CHECK: 1 kept scalar
// CHECK-NEXT: seed differs from run to run and decides where loaded data are
// SAYS: 5 of 5
// TEXT-NOT: kept scalar
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct host {
  struct host *next;
  char name[16];
};
static struct host *table[64];
static int count;
static unsigned seed = 0x74fc65a2;

static unsigned mill(const unsigned char *b) {
  unsigned h = 7;
  for (int k = 0; k < 8; k++)
    h = h * 31 + b[k];
  return h;
}

struct generator {
  unsigned *mill;
  int index;
};

static unsigned next(struct generator *g) {
  unsigned turned[4];
  for (int k = 0; k < 4; k++)
    turned[k] = g->mill[(k + 1) % 4] * 31;
  for (int k = 0; k < 4; k++)
    g->mill[k] = turned[k] ^ turned[3 - k];
  return g->mill[g->index++ % 4];
}

unsigned generated(const unsigned char *b) {
  struct generator g;
  unsigned sum;
  g.index = 0;
  g.mill = calloc(4, sizeof *g.mill);
  for (int k = 0; k < 8; k++)
    g.mill[k % 4] ^= b[k];
  sum = next(&g);
  free(g.mill);
  return sum;
}

static void set_seed(void) {
  FILE *in = fopen("/dev/urandom", "rb");
  unsigned char *b = calloc(1, 9);
  if (!in)
    exit(1);
#if defined AT_ONCE || defined OF_TEXT
  if (fread(b, 1, 8, in) != 8)
    exit(1);
#else
  for (int k = 0; k < 8; k++)
    *(b + k) = getc(in);
#endif
#ifdef OF_TEXT
  seed = atoi((char *)b);
#elif defined GENERATOR
  seed ^= generated(b);
#else
  seed ^= mill(b);
  seed ^= mill(b) << 15;
#endif
  free(b);
  fclose(in);
}

static unsigned slot(const char *s) {
  unsigned h = 0;
  while (*s)
    h = (h ^ (unsigned char)*s++) * 16777619u + seed;
  return (h >> 7) & 63;
}

static void add(const char *name) {
  struct host *h = calloc(1, sizeof *h);
  strcpy(h->name, name);
  h->next = table[slot(name)];
  table[slot(name)] = h;
  count++;
}

static void load(void) {
  FILE *f = fopen("state", "r");
  char name[16];
  while (f && fscanf(f, "%15s", name) == 1)
    add(name);
  if (f)
    fclose(f);
}

static void command(const char *name) {
  int found = 0;
  if (!strcmp(name, "die"))
    raise(SIGKILL);
  if (strcmp(name, "all")) {
    add(name);
    return;
  }
  for (unsigned k = 0; k < 64; k++)
    for (struct host *h = table[k]; h; h = h->next)
      found += slot(h->name) == k;
  printf("%d of %d\n", found, count);
}

int main(void) {
  char name[16];
  set_seed();
  load();
  while (scanf("%15s", name) == 1)
    command(name);
  return 0;
}
