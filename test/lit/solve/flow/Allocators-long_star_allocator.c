// The allocator returns long *, as before ANSI C; the record is filled raw and no member is named while loading.
//
// RUN: cd %S && %nvmove --load load --print types Allocators-long_star_allocator.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// CHECK: extra
// CHECK-NEXT: mon

#include <stdlib.h>
#include <unistd.h>
struct extra { int a, b; };
struct mon { int id; struct extra *extra; struct mon *next; };
static struct mon *mons;
long *alloc(unsigned n) {
  long *p = (long *)malloc(n);
  if (!p) abort();
  return p;
}
static void mread(int fd, void *buf, unsigned len) {
  if (read(fd, buf, len) != (int)len) exit(1);
}
void load(int fd) {
  int n;
  for (mread(fd, &n, sizeof n); n > 0; n--) {
    struct mon *m = (struct mon *)alloc(sizeof(struct mon));
    mread(fd, m, sizeof(struct mon));
    m->extra = (struct extra *)alloc(sizeof(struct extra));
    mread(fd, m->extra, sizeof(struct extra));
    m->next = mons;
    mons = m;
  }
}
int main(void) {
  load(0);
  return mons ? mons->extra->a : 0;
}
