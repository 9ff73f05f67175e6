// A static table of records that gets a block of the load in one of the records
// within: the other records within, that the load fills from what the program
// has fixed, are in it, too. A record of which the load only sets flags is not.
//
// RUN: %nvmove --load load --print types %s | FileCheck %s --match-full-lines
// CHECK-DAG: value
// CHECK-DAG: oid
// CHECK-DAG: data
// CHECK-NOT: {{state|part}}
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct oid { int ids[4], length; };
struct data { unsigned char *buffer; int size; };
struct value { struct oid oid; struct data data; };
struct part { int busy; };
static struct state { struct part part; char *name; int n; } state;
static struct value values[16];
static int count;
static const struct oid prefix = {{1, 3, 6}, 3};
static int extend(struct oid *o, int column) {
  if (o->length == 4)
    return -1;
  o->ids[o->length++] = column;
  return 0;
}
static void make(struct data *d, int size) {
  d->size = size;
  d->buffer = malloc(size);
}
void load(const char *name) {
  char text[8];
  FILE *f = fopen(name, "r");
  state.part.busy = 1;
  while (f && fscanf(f, "%7s", text) == 1) {
    struct value *v = &values[count++];
    memcpy(&v->oid, &prefix, sizeof v->oid);
    if (extend(&v->oid, 7))
      return;
    make(&v->data, 8);
    memcpy(v->data.buffer, text, sizeof text);
  }
  state.part.busy = 0;
}
int main(void) {
  load("state");
  for (int c; (c = getchar()) != EOF;)
    if (c < count)
      printf("%d %s %d\n", values[c].oid.ids[3], values[c].data.buffer, state.part.busy);
  return 0;
}
