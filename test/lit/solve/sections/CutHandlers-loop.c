// The main loop carries out the commands by itself. What the next round changes is
// not what this one has answered, nor where the program is moved already.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --load load t.c > log
// RUN: grep changed-after-answer log | FileCheck %s
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: %nvmove --load load --force t.c > log
// RUN: grep changed-after-answer log | FileCheck %s --check-prefix=AGAIN
// AGAIN: by fflush() in line
// AGAIN-NOT: changed-after-answer
#include <stdio.h>
#include <stdlib.h>

struct item {
  struct item *next;
  int n;
};
static struct item *items;
static int answers;

void load(FILE *in) {
  for (int n; (n = getc(in)) != EOF;) {
    struct item *i = malloc(sizeof *i);
    i->n = n;
    i->next = items;
    items = i;
    answers++;
  }
}

int main(void) {
  char line[64];
  FILE *in = fopen("state", "r");
  puts("ready");
  fflush(stdout);
  if (in) {
    load(in);
    fclose(in);
  }
  while (fgets(line, sizeof line, stdin)) {
    if (line[0] == 'a') {
      struct item *i = malloc(sizeof *i);
      i->n = line[1];
      i->next = items;
      items = i;
      printf("added\n");
      fflush(stdout);
      // CHECK: t.c:[[@LINE+1]]:{{.*}}by fflush() in line [[@LINE-1]]
      answers++;
    } else if (items) {
      items->n += line[1];
      printf("%d of %d\n", items->n, answers);
      fflush(stdout);
    }
  }
  return 0;
}
