// A table that start-up and the load let grow alike, the program's own streams:
// after a restart the old one takes the place of what start-up has put there.
//
// RUN: rm -rf %t && mkdir %t && cp %s %t/g.c && cd %t
// RUN: %nvmove_act --load load --out out g.c | FileCheck %s
// CHECK: before-load open_stream() runs at each start before the load, and adds to the root streams (g.c:{{[0-9]+}}): the restored state replaces it
//
// A table that start-up makes anew is no such thing.
//
// RUN: %nvmove_act --load load --out anew g.c -- -DANEW | FileCheck %s --check-prefix=ANEW
// ANEW-NOT: before-load

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct item { struct item *next; int v; };
struct stream { int open; char *text; int n, at; };
static struct stream *streams;
static int count;
static struct item *items;
static void open_stream(int fd) {
  if (fd >= count) {
    streams = realloc(streams, (fd + 1) * sizeof *streams);
    count = fd + 1;
  }
  streams[fd].text = malloc(256);
  streams[fd].n = streams[fd].at = 0;
}
static int get(int fd) {
  struct stream *s = &streams[fd];
  if (s->at == s->n) {
    s->n = read(fd, s->text, 256);
    s->at = 0;
    if (s->n <= 0)
      return -1;
  }
  return s->text[s->at++];
}
static void load(const char *name) {
  int c, fd = open(name, O_RDONLY);
  open_stream(fd);
  while ((c = get(fd)) >= 0) {
    struct item *i = calloc(1, sizeof *i);
    i->v = c;
    i->next = items;
    items = i;
  }
  free(streams[fd].text);
  close(fd);
}
int main(void) {
  char b[32];
#ifdef ANEW
  streams = calloc(16, sizeof *streams);
  count = 16;
#else
  open_stream(1);
#endif
  load("state");
  while (fgets(b, sizeof b, stdin))
    for (struct item *i = items; i; i = i->next)
      printf("%d\n", i->v);
}
