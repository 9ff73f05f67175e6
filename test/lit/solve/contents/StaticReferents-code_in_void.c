// Only commands put functions into the void * of a persistent record, one into
// a union in which a number stands first.
//
// RUN: %nvmove --load load --analyze-only --force --out %t.out %s -- > %t
// RUN: FileCheck %s --input-file %t
// CHECK:      2 twins
// CHECK-NEXT: shout   item.any points to it
// CHECK-NEXT: whisper item.u.any points to it
#include <stdio.h>
#include <stdlib.h>

struct item {
  struct item *next;
  int tag;
  void *any;
  union {
    long n;
    void *any;
  } u;
};
static struct item *items;

static void shout(struct item *i) { printf("SHOUT %d\n", i->tag); }
static void whisper(struct item *i) { printf("whisper %d\n", i->tag); }

static void load(const char *name) {
  int n;
  FILE *f = fopen(name, "r");
  while (fscanf(f, "%d", &n) == 1) {
    struct item *i = calloc(1, sizeof *i);
    i->tag = n;
    i->u.n = n;
    i->next = items;
    items = i;
  }
  fclose(f);
}

static void command(char *l) {
  struct item *i = items;
  if (*l == 'r')
    i->any = (void *)shout;
  if (*l == 'w')
    i->u.any = (void *)whisper;
  if (*l == 's')
    ((void (*)(struct item *))i->any)(i);
  if (*l == 't')
    ((void (*)(struct item *))i->u.any)(i);
}

int main(int argc, char **argv) {
  char l[80];
  load(argv[argc - 1]);
  while (fgets(l, 80, stdin))
    command(l);
  return 0;
}
