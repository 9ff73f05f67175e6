// What the load counts is restored, and what it computes without the file is
// not: where the one says a place in the other, that is reported. It is not where
// it says one in what comes back, too.
//
// RUN: %nvmove_act --notes --load load --analyze-only --force --out %t.out %s > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK:      5 restored scalars
// CHECK-NEXT: keys gets a value from the file
// CHECK-NEXT: known counts what is loaded
// CHECK-NEXT: lines counts what is loaded
// CHECK-NEXT: played counts what is loaded
// CHECK-NEXT: widths is set only by the load
// CHECK-NOT:  index-alone
// CHECK:      index-alone played is restored, but moves, which it indexes, is not
// CHECK-NOT:  index-alone
// RUN: %nvmove --load load --afresh played --print roots %s > %t.roots
// RUN: not grep played %t.roots
// RUN: %nvmove_act --notes --load load --afresh played --analyze-only --force --out %t.out %s > %t.log
// RUN: not grep index-alone %t.log
#include <stdio.h>

struct move { int from, to; };
static struct move moves[99];
static int keys[99], widths[99];
static int played, known, lines;

static void play(void) {
  played++;
  moves[played].from = moves[played - 1].to;
  moves[played].to = 64 - moves[played].from;
}

static void load(FILE *in) {
  int c;
  while ((c = getc(in)) != EOF) {
    keys[known] = c;
    widths[known] = 3;
    known++;
    if (c == '\n')
      lines++;
    play();
  }
}

int main(void) {
  load(stdin);
  while (getchar() != EOF)
    play();
  printf("%d %d %d %d\n", moves[played].from, keys[known - 1], widths[0], lines);
  return 0;
}
