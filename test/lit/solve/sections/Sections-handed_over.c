// The main loop is a library's, which calls a handler; a loop beside it, which
// replays a trace, gets the sections. That the handler is in none is told, unless
// what it calls is named.
//
// RUN: %nvmove --notes --load load --analyze-only --force --out %t.out %s > %t.log
// RUN: FileCheck %s --input-file %t.log
// RUN: %nvmove --notes --load load --section update --analyze-only --force --out %t.out %s > %t.named
// RUN: FileCheck %s --input-file %t.named --check-prefix=NAMED
// CHECK: store-outside-section {{.*}}got_packet is passed to watch(), and may change persistent state outside of sections
// CHECK-NOT: compare is handed
// NAMED-NOT: is passed to
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct lease { int addr, ends; struct lease *next; };
extern void run_events(void);
extern void watch(int fd, int (*handler)(int fd));
static struct lease *leases;

static void update(int addr, int ends) {
  struct lease *l;
  for (l = leases; l; l = l->next)
    if (l->addr == addr) {
      l->ends = ends;
      return;
    }
  l = malloc(sizeof *l);
  l->addr = addr;
  l->ends = ends;
  l->next = leases;
  leases = l;
}
static void load(const char *name) {
  FILE *f = fopen(name, "r");
  int a, e;
  while (f && fscanf(f, "%d %d", &a, &e) == 2)
    update(a, e);
}
static int got_packet(int fd) {
  int p[2];
  if (read(fd, p, sizeof p) == sizeof p)
    update(p[0], p[1]);
  return 0;
}
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void replay(FILE *trace) {
  int p[2];
  while (fread(p, sizeof p, 1, trace) == 1)
    update(p[0], p[1]);
}
int main(int argc, char **argv) {
  int numbers[] = {2, 1};
  load("leases");
  qsort(numbers, 2, sizeof *numbers, compare);
  if (argc > 1) {
    replay(stdin);
    return 0;
  }
  watch(0, got_packet);
  run_events();
  return 0;
}
