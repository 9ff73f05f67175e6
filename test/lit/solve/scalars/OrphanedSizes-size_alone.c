// Two tables of one size, each made before the load: the one that the load
// fills is a root, and brings the number back, the other is as this start made
// it. That is told. It is not of one that is as large by a number of its own.
//
// RUN: %nvmove_act --notes --load load --analyze-only --force --out %t.out %s > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK:      1 restored scalar
// CHECK-NEXT: room is the size of what is loaded
// CHECK-NOT:  index-alone
// CHECK:      index-alone {{.*}}room is restored, but sources, whose size it also is, is not
// CHECK-NOT:  index-alone
#include <stdio.h>
#include <stdlib.h>

struct source {
  int id, value;
};
struct element {
  int index, value;
};
static struct source **sources;
static struct element *sorted;
static char *text;
static int used, room, length;

static void add(int id) {
  if (used == room) {
    room = room ? 2 * room : 4;
    sources = realloc(sources, room * sizeof *sources);
    sorted = realloc(sorted, room * sizeof *sorted);
    length = 80;
    text = realloc(text, length);
  }
  sources[used] = calloc(1, sizeof **sources);
  sources[used++]->id = id;
}

static void choose(void) {
  for (int i = 0; i < used; i++) {
    sorted[i].index = i;
    sorted[i].value = sources[i]->value;
  }
}

static void load(FILE *in) {
  int v;
  for (int i = 0; i < used && fscanf(in, "%d", &v) == 1; i++)
    sources[i]->value = -v;
  choose();
}

int main(int argc, char **argv) {
  int c;
  for (int i = 1; i < argc; i++)
    add(atoi(argv[i]));
  load(fopen("state", "r"));
  while ((c = getchar()) != EOF) {
    add(c);
    choose();
    printf("%d %s\n", sorted[0].index, text);
  }
  return 0;
}
