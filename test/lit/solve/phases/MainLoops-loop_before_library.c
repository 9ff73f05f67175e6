// A loop that waits for what the program needs to start is left before the
// library's main loop is entered: it gets no sections. The handler of the latter
// does.
//
// RUN: %nvmove --print sections --load load %s | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// CHECK: on_input
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct event { void *opaque[16]; };
void event_set(struct event *, int fd, short what, void (*handler)(int, short, void *), void *arg);
int event_add(struct event *, const void *timeout);
int event_dispatch(void);
struct item { struct item *next; int key; };
static struct item *items;
static struct event ev;
static void add(int key) {
  struct item *it = malloc(sizeof *it);
  it->key = key;
  it->next = items;
  items = it;
}
static void on_input(int fd, short what, void *arg) {
  int k;
  if (read(fd, &k, sizeof k) == sizeof k)
    add(k);
}
static void load(const char *name) {
  FILE *f = fopen(name, "r");
  int k;
  while (f && fscanf(f, "%d", &k) == 1)
    add(k);
}
static void setup(int fd) {
  char c;
  for (int n = 0;; n++) {
    struct pollfd p = {fd, POLLIN, 0};
    poll(&p, 1, 10000);
    if (read(fd, &c, 1) != 1 || c == 'd')
      break;
    add(n);
  }
}
int main(int argc, char **argv) {
  setup(3);
  load(argv[argc - 1]);
  event_set(&ev, 0, 2, on_input, NULL);
  event_add(&ev, NULL);
  event_dispatch();
  return 0;
}
