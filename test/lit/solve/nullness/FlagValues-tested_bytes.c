// Members of a head that lies in raw bytes of the file are no flags that are
// zero: in a mapped file, in a block and in a local array that are read as bytes.
//
// RUN: %nvmove --load load --print types %s -- -D_GNU_SOURCE > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types %s -- -D_GNU_SOURCE -DBLOCK > %t.block
// RUN: FileCheck %s --input-file %t.block --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types %s -- -D_GNU_SOURCE -DLOCAL > %t.local
// RUN: FileCheck %s --input-file %t.local --match-full-lines --implicit-check-not={{.}}
//
// CHECK: item
// CHECK: extra
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct head { uint32_t version, n; };
struct item { struct item *next; int v; };
struct extra { struct extra *next; int v; };
struct later { struct later *next; int v; };
struct settings { int verbose; };
static struct item *items;
static struct extra *extras;
static struct later *laters;
static struct settings settings;

static void add(int v) {
  struct item *it = malloc(sizeof *it);
  it->v = v;
  it->next = items;
  items = it;
}
static void more(int v) {
  struct extra *e = malloc(sizeof *e);
  e->v = v;
  e->next = extras;
  extras = e;
}
static void tell(int v) {
  struct later *l = malloc(sizeof *l);
  l->v = v;
  l->next = laters;
  laters = l;
}
static int load(const char *path) {
  int fd = open(path, O_RDONLY);
  const struct head *h;
  if (fd < 0)
    return -1;
#if defined BLOCK
  char *m = malloc(4096);
  if (read(fd, m, 4096) < 8)
    return -1;
  h = (const struct head *)m;
#elif defined LOCAL
  char m[4096] __attribute__((aligned(8)));
  if (read(fd, m, 4096) < 8)
    return -1;
  h = (const struct head *)m;
#else
  h = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
#endif
  for (uint32_t i = 0; i < h->n; i++)
    add(((const int *)(h + 1))[i]);
  if (h->version == 2)
    more(1);
  if (settings.verbose) // a flag that nothing sets before
    tell(1);
  return 0;
}
int main(int argc, char **argv) {
  char b[16];
  load(argv[1]);
  settings.verbose = argc > 2;
  while (read(0, b, sizeof b) > 0) {
    add(b[0]);
    tell(b[1]);
    more(b[2]);
  }
  return 0;
}
