// A record that a header declares and several files define, each for itself: a
// pointer where only the declaration is known leads to all of them.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load main.c red.c blue.c | FileCheck %s
// CHECK: 4 persistent types
// CHECK-DAG: card {{.*}}states -> state.cards
// CHECK-DAG: layout {{.*}}states -> state.layout
// CHECK-DAG: state {{.*}}red.c
// CHECK-DAG: state {{.*}}blue.c
// CHECK: 1 root
// CHECK-NEXT: states
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include main.c red.c blue.c

//--- api.h
typedef struct state state;
struct game { state *(*new_state)(const char *text); int (*move)(state *, int); };
extern const struct game red, blue;
//--- red.c
#include "api.h"
#include <stdlib.h>
struct layout { int mines; };
struct state { int w, h; struct layout *layout; };
static state *new_state(const char *text) {
  state *s = malloc(sizeof *s);
  s->w = s->h = atoi(text);
  s->layout = malloc(sizeof *s->layout);
  s->layout->mines = s->w;
  return s;
}
static int move(state *s, int n) { return s->w += n; }
const struct game red = {new_state, move};
//--- blue.c
#include "api.h"
#include <stdlib.h>
struct card { struct card *next; int face; };
struct state { struct card *cards; };
static state *new_state(const char *text) {
  state *s = calloc(1, sizeof *s);
  for (; *text; text++) {
    struct card *c = malloc(sizeof *c);
    c->face = *text;
    c->next = s->cards;
    s->cards = c;
  }
  return s;
}
static int move(state *s, int n) { return s->cards->face += n; }
const struct game blue = {new_state, move};
//--- main.c
#include "api.h"
#include <stdio.h>
#include <string.h>
static state *states[16];
static int n;
static const struct game *game;
static void load(const char *name) {
  FILE *f = fopen(name, "r");
  char line[100];
  while (f && fgets(line, sizeof line, f))
    states[n++ & 15] = game->new_state(line);
}
int main(int argc, char **argv) {
  char line[100];
  game = strcmp(argv[argc - 1], "red") ? &blue : &red;
  load(argv[1]);
  while (fgets(line, sizeof line, stdin))
    printf("%d\n", game->move(states[line[0] & 15], line[1]));
  return 0;
}
