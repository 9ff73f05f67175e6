// A program that keeps all its state in a local of main() has its literals
// registered there, or fields lead nowhere after a restart.
// Tested by: nvmove::Statics

// RUN: rm -rf %t && mkdir -p %t && cp %s %t/prog.c && cd %t
// RUN: %nvmove --load load prog.c
// RUN: FileCheck %s --check-prefix=ROOTS < nvmove-out/patches/1-roots.patch
// ROOTS: +  NVM_LITERALS();
// ROOTS: +  nvm_start();

#include <stdio.h>
#include <stdlib.h>

struct item {
  struct item *next;
  const char *label;
  int v;
};
struct world {
  struct item *head;
};

void load(FILE *f, struct world *w) {
  int v;
  while (fscanf(f, "%d", &v) == 1) {
    struct item *i = malloc(sizeof *i);
    i->v = v;
    i->label = v & 1 ? "odd" : "even";
    i->next = w->head;
    w->head = i;
  }
}

static void handle(struct world *w, const char *line) {
  if (w->head)
    w->head->v = atoi(line);
  for (struct item *i = w->head; i; i = i->next)
    printf("%s %d\n", i->label, i->v);
  fflush(stdout);
}

int main(void) {
  struct world w = {NULL};
  char line[80];
  FILE *f = fopen("state.dat", "r");
  if (f) {
    load(f, &w);
    fclose(f);
  }
  while (fgets(line, sizeof line, stdin))
    handle(&w, line);
  return 0;
}
