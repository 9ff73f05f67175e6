// A file is read into memory by a function that gives that memory back: what
// its callers make of it, a header, holds what the file says, and none of its
// members is a zero that keeps the load from filling the list.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %nvmove_act --load load --out one %s -- -DGIVES=char | FileCheck %s
// RUN: %nvmove_act --load load --out two %s -- -DGIVES=void | FileCheck %s
// CHECK: 1 persistent type
// CHECK-NEXT: {{^ *}}entry 
// CHECK: 1 root
// CHECK-NEXT: {{^ *}}all 
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct header { char magic[8]; unsigned n; };
struct disk { int key; char name[20]; };
struct entry { int key; char name[20]; struct entry *next; };
static struct entry *all;
static GIVES *slurp(int fd, size_t n) {
  char *p = malloc(n);
  size_t got = 0;
  while (got < n) {
    ssize_t r = read(fd, p + got, n - got);
    if (r <= 0) {
      free(p);
      return NULL;
    }
    got += r;
  }
  return p;
}
static int load(const char *path) {
  int fd = open(path, O_RDONLY);
  struct header *h = (struct header *)slurp(fd, lseek(fd, 0, SEEK_END));
  if (!h || memcmp(h->magic, "ENTRIES", 8))
    return -1;
  struct disk *d = (struct disk *)((char *)h + sizeof *h);
  for (unsigned i = 0; i < h->n; ++i) {
    struct entry *e = malloc(sizeof *e);
    e->key = d[i].key;
    memcpy(e->name, d[i].name, sizeof e->name);
    e->next = all;
    all = e;
  }
  free(h);
  return 0;
}
int main(int argc, char **argv) {
  char line[32];
  load(argv[1]);
  while (fgets(line, sizeof line, stdin))
    for (struct entry *e = all; e; e = e->next)
      if (e->key == atoi(line))
        puts(e->name);
  return argc == 0;
}
