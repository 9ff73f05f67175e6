// A section that a jump leaves never ends, and what stdio writes within one is
// out before it is committed: where neither can be mended both are told, once.
//
// RUN: rm -rf %t && %nvmove_act --load load --out %t %s > %t.out
// RUN: FileCheck %s --input-file %t/report.txt
// CHECK-DAG: section-left-by-jump{{ +}}a jump to here from within a section {{.*}} a macro of the program
// CHECK-DAG: output-by-stdio{{ +}}what fflush() writes within a section
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
struct rec { struct rec *next; int n; };
static struct rec *head;
static jmp_buf again;
static FILE *out;
#define FAILED() setjmp(again)
static void add(int n) {
  struct rec *r = malloc(sizeof *r);
  r->n = n;
  r->next = head;
  head = r;
}
static void load(void) {
  FILE *f = fopen("state", "r");
  int n;
  if (!f) return;
  while (fscanf(f, "%d", &n) == 1) add(n);
  fclose(f);
}
static void command(const char *line) {
  if (*line == 'x') longjmp(again, 1);
  add(atoi(line));
  printf("%d\n", head->n);
  fflush(out);
}
int main(int argc, char **argv) {
  char line[80];
  out = argc > 1 ? fopen(argv[1], "w") : stdout;
  load();
  if (FAILED()) puts("wrong");
  while (fgets(line, sizeof line, stdin)) command(line);
  return 0;
}
