// What is loaded takes the place of what the root has, which is given up first. At a later
// start the root has what came back: that must not be given up, so there is no guard.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove_act --load make t.c > out
// RUN: FileCheck %s --input-file out
// CHECK: t.c:[[@LINE+36]]:3 load-not-guarded {{.*}} this call gets current before
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: FileCheck %s --input-file t.c --check-prefix=TEXT
// TEXT: struct song *new = make(name);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct song { char title[32]; int *notes; int count; };
static struct song *current;
static struct song *allocate(void) {
  struct song *s = calloc(1, sizeof *s);
  if (!s)
    abort();
  return s;
}
static void destroy(struct song *s) {
  free(s->notes);
  free(s);
}
static struct song *make(const char *name) {
  FILE *f = fopen(name, "r");
  struct song *s;
  int n;
  if (!f)
    return NULL;
  s = allocate();
  s->notes = malloc(100 * sizeof *s->notes);
  while (s->count < 100 && fscanf(f, "%d", &n) == 1)
    s->notes[s->count++] = n;
  fclose(f);
  return s;
}
static int load_song(const char *name) {
  struct song *new = make(name);
  if (!new)
    return 0;
  destroy(current);
  current = new;
  return 1;
}
int main(int argc, char **argv) {
  char s[80];
  current = allocate();
  if (argc > 1 && !load_song(argv[1]))
    return 1;
  printf("%d\n", current->count);
  while (fgets(s, sizeof s, stdin))
    current->notes[0] = atoi(s);
  return 0;
}
