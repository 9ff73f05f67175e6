// A seed that start-up reads from a file that gives another one in each run, and
// by which the load puts things into a table: told, since it does not come back.
//
// RUN: %nvmove --load load --out %t --force %s | FileCheck %s
// CHECK: seed-not-kept{{ +}}seed decides where loaded data lie
// CHECK-NOT: seed-not-kept
//
// Set in the load alone, it is none that each start reads.
// RUN: %nvmove --load load --out %t --force %s -- -DLOADED | FileCheck --check-prefix=LOADED %s
// LOADED-NOT: seed-not-kept
//
// Made from the parent's id by a store, it is kept.
// RUN: %nvmove --load load --out %t --force %s -- -DSTORED | FileCheck --check-prefix=STORED %s
// RUN: FileCheck --check-prefix=PATCH %s < %t/patches/1-roots.patch
// STORED-NOT: seed-not-kept
// PATCH: NVM_KEEP(seed);
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct item {
  struct item *next;
  unsigned hash;
  char name[32];
};
static struct item *table[64];
static unsigned seed;
static unsigned hash(const char *s) {
  unsigned h = seed;
  while (*s)
    h = h * 31 + *s++;
  return h;
}
static void read_seed(void) {
#ifdef STORED
  seed = getppid();
  return;
#endif
  int f = open("/dev/urandom", O_RDONLY);
  if (f < 0 || read(f, &seed, sizeof seed) != sizeof seed)
    exit(1);
  close(f);
}
void load(const char *file) {
  char line[32];
  FILE *f = fopen(file, "r");
  if (!f)
    exit(1);
#ifdef LOADED
  read_seed();
#endif
  while (fgets(line, sizeof line, f)) {
    struct item *i = calloc(1, sizeof *i);
    strcpy(i->name, line);
    i->hash = hash(line);
    i->next = table[i->hash % 64];
    table[i->hash % 64] = i;
  }
  fclose(f);
}
static void handle(const char *q) {
  for (struct item *i = table[hash(q) % 64]; i; i = i->next)
    if (!strcmp(i->name, q))
      printf("found %s", q);
}
int main(int argc, char **argv) {
  char q[32];
#ifndef LOADED
  read_seed();
#endif
  load(argv[argc - 1]);
  for (;;) {
    struct pollfd p = {0, POLLIN, 0};
    poll(&p, 1, -1);
    ssize_t n = read(0, q, sizeof q - 1);
    if (n <= 0)
      return 0;
    q[n] = 0;
    handle(q);
  }
}
