// The bytes of a mapped file are data of the file, also where a function of the
// program maps it; those of anonymous memory are not.
//
// RUN: cd %S
// RUN: %nvmove_act --load load --analyze-only --force --out %t.out LibraryModel-mapped_file.c -- -std=gnu11 > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK:      3 roots
// CHECK-NEXT: head
// CHECK-NEXT: in_use
// CHECK-NEXT: items
// CHECK:      3 restored scalars
// CHECK-NEXT: best  gets a value from the file
// CHECK-NEXT: dirty is copied from what the load fills
// CHECK-NEXT: last  gets a value from the file
// CHECK-NOT:  restored scalar
// CHECK:      pointer-to-volatile  head may point to a file that is mapped into memory: after a restart it has the value of that start (in load)
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct item { struct item *next; char name[16]; };
struct source { FILE *in; int line; };
struct head { unsigned magic, n; };
struct entry { unsigned id; char name[12]; };
static struct item *items;
static struct source *in_use;
static struct head *head;
static int last;
static unsigned best, dirty;

static struct source *push(FILE *in) {
  struct source *s = calloc(1, sizeof *s);
  s->in = in;
  return s;
}

static void *map(const char *name, long *size) {
  void *at;
  int fd = open(name, O_RDONLY);
  *size = lseek(fd, 0, SEEK_END);
  at = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  return at;
}

static void parse(struct source *s, unsigned char *base, long size) {
  for (long k = 0; k + 1 < size; k += 2) {
    struct item *i = malloc(sizeof *i);
    i->name[0] = base[k + 1];
    i->name[1] = 0;
    i->next = items;
    items = i;
    s->line = base[k] - '0';
    last = s->line;
  }
}

static void load(struct source *s, const char *name) {
  long size;
  unsigned char *base = map(name, &size);
  unsigned *work = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int fd = open(name, O_RDWR);
  struct entry *entries;
  parse(s, base, size);
  munmap(base, size);
  work[1] = 7;
  dirty = work[1];
  munmap(work, 4096);
  head = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  entries = (struct entry *)(head + 1);
  for (unsigned k = 0; k < head->n; k++)
    if (entries[k].id > best)
      best = entries[k].id;
}

int main(int argc, char **argv) {
  char line[80];
  in_use = push(stdin);
  load(in_use, argv[argc - 1]);
  while (fgets(line, 80, in_use->in))
    printf("%s %d %d %u %u %u\n", items->name, in_use->line++, last++, best++,
           head->n++, dirty);
  return 0;
}
