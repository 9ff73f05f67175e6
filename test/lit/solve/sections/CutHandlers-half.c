// A member is changed before and after an answer: a crash between the two leaves half
// of that, which is to act on. Of what is changed behind it alone it is asked, also
// where another way to it, without the answer, has changed it before.
//
// RUN: cd %S
// RUN: %nvmove_act --load load --analyze-only --force --out %t CutHandlers-half.c -- > %t.out
// RUN: FileCheck %s --input-file %t.out --implicit-check-not=cut-update
// CHECK: CutHandlers-half.c:[[#@LINE+53]]:{{[0-9]+}} cut-update{{ +}}box.v is changed before and after an answer of the same section, sent in line [[#@LINE+50]]: a crash between the two leaves half of the change (in handle)
// CHECK: CutHandlers-half.c:[[#@LINE+29]]:{{[0-9]+}} changed-after-answer
// CHECK: CutHandlers-half.c:[[#@LINE+37]]:{{[0-9]+}} changed-after-answer
// What it says, done:
// RUN: %nvmove --load load --analyze-only --force --out %t CutHandlers-half.c -- -DWHOLE | FileCheck %s --check-prefix=WHOLE --implicit-check-not=cut-update
// WHOLE: 3 findings to check
#include <stdio.h>
#include <stdlib.h>
struct box {
  struct box *next;
  int v, told;
};
static struct box *boxes;
static void add(int v) {
  struct box *b = calloc(1, sizeof *b);
  b->v = v;
  b->next = boxes;
  boxes = b;
}
static void load(void) {
  FILE *f = fopen("boxes", "r");
  int v;
  while (f && fscanf(f, "%d", &v) == 1)
    add(v);
  if (f)
    fclose(f);
}
static void reset(struct box *b) {
  printf("%d\n", b->v);
  fflush(stdout);
  b->v = 1;
}
static void either(struct box *b, const char *line) {
  if (line[1] == '0') {
    b->v = 0;
  } else {
    printf("%d\n", b->v);
    fflush(stdout);
  }
  b->v = 2;
}
static void handle(const char *line) {
  struct box *b = boxes;
  switch (*line) {
  case '+':
#ifdef WHOLE
    b->v++;
#endif
    b->v += 2;
    printf("%d\n", b->v);
    fflush(stdout);
    b->told = 1;
#ifndef WHOLE
    b->v++;
#endif
    break;
  case '?':
    b->v = 0;
    break;
  case '=':
    reset(b);
    break;
  case '*':
    either(b, line);
    break;
  }
}
int main(void) {
  char line[80];
  load();
  while (boxes && fgets(line, sizeof line, stdin))
    handle(line);
  return 0;
}
