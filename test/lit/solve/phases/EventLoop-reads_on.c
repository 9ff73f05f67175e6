// A main loop that also reads what is new in the file is not on the way from
// main to the load: what it does before that is no start-up. So nobody is
// connected while start-up loads.
//
// RUN: %nvmove --load load --print types %s | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// CHECK: item
//
// Where nothing else loads, it is.
// RUN: %nvmove --load load --print types %s -- -DALONE | FileCheck %s --check-prefix=ALONE
// ALONE-DAG: item
// ALONE-DAG: session

#include <stdio.h>
#include <stdlib.h>

struct item {
  struct item *next;
  int number;
};
struct session {
  struct session *next;
  int last;
};
static struct item *items;
static struct session *sessions;

void load(FILE *f) {
  int number;
  while (fscanf(f, "%d", &number) == 1) {
    struct item *i = malloc(sizeof *i);
    i->number = number;
    i->next = items;
    items = i;
    for (struct session *s = sessions; s; s = s->next)
      s->last = number;
  }
}

static void serve(FILE *f) {
  int c;
  while ((c = getchar()) != EOF) {
    if (c == 'c') {
      struct session *s = malloc(sizeof *s);
      s->last = 0;
      s->next = sessions;
      sessions = s;
    }
    if (c == 'r')
      load(f);
    for (struct session *s = sessions; s; s = s->next)
      printf("%d\n", s->last);
  }
}

int main(void) {
  FILE *f = fopen("items", "r");
#ifndef ALONE
  load(f);
#endif
  serve(f);
  return items ? items->number : 0;
}
