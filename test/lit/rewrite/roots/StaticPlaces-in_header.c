// Statics of a header that two files of the program include: each has its own
// copies, and persistent objects point to them. That is one question, however
// many there are.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove_act --load load main.c list.c > out
// RUN: FileCheck %s --input-file out
// CHECK: static-in-header {{.*}}'large, small' is defined in a header that several files include
// CHECK-NOT: static-in-header
// RUN: grep -c '"static-in-header"' nvmove-out/report.json | FileCheck %s --check-prefix=EACH
// EACH: 2

//--- kinds.h
struct kind {
  const char *name;
  int size;
};
static struct kind large = {"large", 8};
static struct kind small = {"small", 1};

//--- list.h
#include "kinds.h"
struct entry {
  struct entry *next;
  struct kind *kind;
  int id;
};
extern struct entry *first;
void load(void);

//--- list.c
#include "list.h"
#include <stdio.h>
#include <stdlib.h>
struct entry *first;
void load(void) {
  FILE *f = fopen("state", "r");
  int id;
  if (!f)
    return;
  while (fscanf(f, "%d", &id) == 1) {
    struct entry *e = malloc(sizeof *e);
    e->id = id;
    e->kind = id > 9 ? &large : &small;
    e->next = first;
    first = e;
  }
  fclose(f);
}

//--- main.c
#include "list.h"
#include <stdio.h>
static void command(const char *line) {
  large.size += line[0] == 'l';
  small.size += line[0] == 's';
  first->id++;
}
int main(void) {
  char line[80];
  load();
  while (fgets(line, sizeof line, stdin))
    command(line);
  return 0;
}
