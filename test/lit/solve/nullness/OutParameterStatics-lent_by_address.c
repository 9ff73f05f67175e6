// A function that is lent the address of a static pointer sets it, and keeps no
// address: what the load works with there is let go of in the end. Not so where
// the address is kept, or is passed to a function that is not known.
//
// RUN: %nvmove --load load --print types %s | FileCheck %s --implicit-check-not=gone
// CHECK: kept_address
// CHECK: kept_elsewhere
#include <stdio.h>
#include <stdlib.h>
struct gone_header { int n; };
struct kept_address { int n; };
struct kept_elsewhere { int n; };
static struct gone_header *header;
static struct kept_address *watched, **address;
static struct kept_elsewhere *handed;
extern int look(struct kept_elsewhere **at);
static int get(FILE *f, struct gone_header **to) {
  *to = malloc(sizeof **to);
  return *to && fscanf(f, "%d", &(*to)->n) == 1;
}
static int open_header(FILE *f, struct gone_header **to) { return get(f, to); }
static void watch(struct kept_address **at) { address = at; }
static void load(const char *name) {
  FILE *f = fopen(name, "r");
  if (!f)
    return;
  if (open_header(f, &header))
    printf("%d\n", header->n);
  free(header);
  header = NULL;
  watch(&watched);
  watched = malloc(sizeof *watched);
  watched->n = getc(f);
  watched = NULL;
  handed = malloc(sizeof *handed);
  handed->n = getc(f);
  look(&handed);
  handed = NULL;
  fclose(f);
}
int main(int argc, char **argv) {
  load(argv[argc - 1]);
  for (int c; (c = getchar()) != EOF;)
    printf("%p %p %p\n", (void *)header, (void *)*address, (void *)handed);
  return 0;
}
