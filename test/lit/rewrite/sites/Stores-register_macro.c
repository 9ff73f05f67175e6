// A macro that also writes register variables gets no hook in its body, since
// these have no address: that is told, and the program compiles.
//
// RUN: rm -rf %t && mkdir -p %t && cp %s %t/program.c && cd %t
// RUN: %nvmove_act --load load program.c > out
// RUN: FileCheck %s --input-file out --check-prefix=REPORT
// REPORT: program.c:[[@LINE+30]]:{{[0-9]+}} macro-expansions-differ a macro that stores here writes a register variable elsewhere
// REPORT-NOT: macro-expansions-differ
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c
// CHECK: {{^ *}}(x) = NULL;
// CHECK: NVM(x) = NULL;
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define drop(x)                                                                \
  do {                                                                         \
    free(x);                                                                   \
    (x) = NULL;                                                                \
  } while (0)
#define dropAll(x)                                                             \
  do {                                                                         \
    free(x);                                                                   \
    (x) = NULL;                                                                \
  } while (0)

struct entry {
  struct entry *next;
  char *name, *text;
};
static struct entry *head;

static void forget(void) {
  register struct entry *e = head;
  head = e->next;
  drop(e->name);
  dropAll(e->text);
  drop(e);
}
static void load(void) {
  char line[100];
  FILE *f = fopen("state", "r");
  if (!f)
    return;
  while (fgets(line, sizeof line, f)) {
    struct entry *e = malloc(sizeof *e);
    if (!e)
      return;
    e->name = strdup(line);
    e->text = strdup(line);
    e->next = head;
    head = e;
  }
  fclose(f);
}
int main(void) {
  char line[100];
  load();
  while (fgets(line, sizeof line, stdin))
    if (head)
      forget();
  return 0;
}
