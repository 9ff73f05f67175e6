// A copy of a string holds no pointers, so no record that has some lies in it,
// whatever else goes through the same void *. A record of numbers might, and
// in a block of bytes that malloc() makes any.
//
// RUN: %nvmove --load load --print types %s -- -std=gnu11 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
//
// CHECK: item
// CHECK-NEXT: digits
// CHECK-NEXT: packet

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct source { FILE *file; char *line; };
struct packet { char *data; int length; };
struct digits { char hundreds, tens, ones; };
struct item { char *name; char *bytes; };
static struct item *items;
static void *last;

static char *copied(const char *s) {
  char *p = strdup(s);
  if (!p)
    exit(1);
  return p;
}
static int next(void *from) {
  struct source *s = from;
  s->line = s->line + 1;
  return fgetc(s->file);
}
static void note(void *what) { last = what; }
static void fill(void *bytes) {
  struct packet *p = bytes;
  p->data = NULL;
}
static void count(void *text) {
  struct digits *d = text;
  d->ones = '0';
}

static void load(FILE *f) {
  char line[100];
  struct source *s = malloc(sizeof *s);
  s->file = f;
  note(s);
  next(last);
  fgets(line, sizeof line, f);
  items = malloc(sizeof *items);
  items->name = copied(line);
  note(items->name);
  count(items->name);
  items->bytes = malloc(line[0]);
  fill(items->bytes);
  free(s);
  last = NULL;
}

int main(void) {
  FILE *f = fopen("state", "r");
  load(f);
  while (getchar() != EOF)
    puts(items->name);
  return 0;
}
