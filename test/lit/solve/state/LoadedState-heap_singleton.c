// The state is one record that main allocates; the load hangs a block of its own into it.
//
// RUN: cd %S && %nvmove --load load --print types LoadedState-heap_singleton.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// CHECK: state

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct state { int debug; int duid_len; unsigned char *duid; };
struct state *state;
void load(FILE *f) {
  char buf[64];
  state->duid_len = (int)fread(buf, 1, sizeof buf, f);
  state->duid = malloc(state->duid_len);
  memcpy(state->duid, buf, state->duid_len);
}
int main(void) {
  state = calloc(1, sizeof *state);
  load(stdin);
  printf("%d\n", state->duid[0]);
}
