// A flag of a record in an array made at start-up is or-ed with what the file says.
//
// RUN: cd %S && %nvmove --load load --print types LoadedState-compound_bool.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// CHECK: ego

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
struct ego { const char *name; bool everseen; };
static struct ego *egos;
static int n_egos;
void load(FILE *f) {
  for (int i = 0; i < n_egos; i++)
    egos[i].everseen |= (getc(f) & 2);
}
int main(void) {
  n_egos = 10;
  egos = calloc(n_egos, sizeof(*egos));
  load(stdin);
  for (int i = 0; i < n_egos; i++) printf("%d\n", egos[i].everseen);
}
