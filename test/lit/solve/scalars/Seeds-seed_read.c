// A seed by which the load puts things into a table, and that start-up reads
// from what gives another one in each run: kept behind what fills it, whoever
// is handed its address, a member and an array as well.
//
// RUN: %nvmove_act --load load --out %t --force %s | FileCheck --check-prefix=KEPT %s
// RUN: FileCheck --check-prefix=PATCH %s < %t/patches/1-roots.patch
// KEPT: 1 kept scalar
// KEPT-NEXT: seed differs from run to run and decides where loaded data are
// KEPT-NOT: kept-scalar-write
// PATCH: DIE("no seed");
// PATCH-NEXT: +{{ +}}NVM_KEEP(seed);
//
// RUN: %nvmove_act --load load --out %t --force %s -- -DSTORED
// RUN: FileCheck --check-prefix=STORED %s < %t/patches/1-roots.patch
// STORED: seed = getppid(); NVM_KEEP(seed);
// RUN: %nvmove_act --load load --out %t --force %s -- -DBYTES
// RUN: FileCheck --check-prefix=BYTES %s < %t/patches/1-roots.patch
// BYTES: seed = fgetc(f); NVM_KEEP(seed);
// RUN: %nvmove_act --load load --out %t --force %s -- -DMEMBER
// RUN: FileCheck --check-prefix=MEMBER %s < %t/patches/1-roots.patch
// MEMBER: conf.seed = getppid(); NVM_KEEP(conf.seed);
// RUN: %nvmove_act --load load --out %t --force %s -- -DHELPER
// RUN: FileCheck --check-prefix=HELPER %s < %t/patches/1-roots.patch
// HELPER: fill(&conf.seed, sizeof conf.seed); NVM_KEEP(conf.seed);
// RUN: %nvmove_act --load load --out %t --force %s -- -DARRAY
// RUN: FileCheck --check-prefix=ARRAY %s < %t/patches/1-roots.patch
// ARRAY: fill(key, sizeof key); NVM_KEEP(key);
// RUN: %nvmove_act --load load --out %t --force %s -- -DCOPIED
// RUN: FileCheck --check-prefix=COPIED %s < %t/patches/1-roots.patch
// COPIED: memcpy(key, with, sizeof key); NVM_KEEP(key);
//
// The value of the first element alone would be chance.
// RUN: %nvmove_act --notes --load load --out %t --force %s -- -DELEMENTS | FileCheck --check-prefix=ELEMENTS %s
// RUN: FileCheck --check-prefix=EACH %s < %t/patches/1-roots.patch
// ELEMENTS: kept-scalar-write{{ +}}'key' is written one element at a time, and kept as it is after the first
// EACH: { key[i] = getppid() >> i; NVM_KEEP(key); }
//
// What the rest of the statement does with it is not known.
// RUN: %nvmove_act --notes --load load --out %t --force %s -- -DTESTED | FileCheck --check-prefix=TESTED %s
// TESTED: kept-scalar-write{{ +}}'seed' is written inside a larger statement
//
// What the load fills is restored with what it loads.
// RUN: %nvmove_act --notes --load load --out %t --force %s -- -DLOADED | FileCheck --check-prefix=LOADED %s
// LOADED-NOT: kept scalar
// LOADED: restored scalar
// LOADED-NOT: kept scalar
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
static struct { int port; unsigned seed; } conf;
static unsigned char key[16];
static unsigned hash(const char *s) {
#if defined MEMBER || defined HELPER
  unsigned h = conf.seed;
#elif defined ARRAY || defined ELEMENTS || defined COPIED
  unsigned h = key[0];
  for (int i = 1; i < 16; i++)
    h = h * 7 + key[i];
#else
  unsigned h = seed;
#endif
  while (*s)
    h = h * 31 + *s++;
  return h;
}
static void warn(void) { printf("seeded by %u\n", hash("")); }
static void fill(void *p, size_t n) {
  FILE *f = fopen("/dev/urandom", "r");
  if (!f || fread(p, 1, n, f) != n)
    exit(1);
  fclose(f);
}
// What it copies from its own memory is not followed: its name tells.
static void get_random_bytes(unsigned char *p, size_t n) {
  static unsigned char pool[64];
  if (!pool[0])
    fill(pool, sizeof pool);
  while (n--)
    p[n] = pool[n % sizeof pool] * 7;
}
static void set_key(const unsigned char *with) { memcpy(key, with, sizeof key); }
#define DIE(what) do { perror(what); exit(1); } while (0)
static void read_seed(void) {
#if defined STORED
  seed = getppid();
#elif defined MEMBER
  conf.seed = getppid();
#elif defined HELPER
  fill(&conf.seed, sizeof conf.seed);
#elif defined ARRAY
  fill(key, sizeof key);
#elif defined COPIED
  unsigned char bytes[16];
  get_random_bytes(bytes, sizeof bytes);
  set_key(bytes);
#elif defined ELEMENTS
  for (int i = 0; i < 16; i++)
    key[i] = getppid() >> i;
#elif defined BYTES
  FILE *f = fopen("/dev/urandom", "r");
  if (!f)
    exit(1);
  seed = fgetc(f);
  fclose(f);
#else
  int f = open("/dev/urandom", O_RDONLY);
#ifdef TESTED
  if (read(f, &seed, sizeof seed) == sizeof seed)
    warn();
#else
  if (f < 0 || read(f, &seed, sizeof seed) != sizeof seed)
    DIE("no seed");
#endif
  close(f);
#endif
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
