// struct filter has nothing but records as members, so nothing is written in it by its
// own name; it lies in every peer, and the load writes what lies in it. struct limit lies there,
// too, and nothing of it is written.
//
// RUN: %nvmove --load load --print types %s > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// CHECK: peer
// CHECK-NEXT: filter
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct filter {
  struct { char *name; int count; } list[2];
  struct { char *name; } map;
};
struct limit { struct { int low, high; } bounds; };
struct peer {
  struct peer *next;
  int as;
  struct filter filter[2][2];
  struct limit limit;
};
static struct peer *peers;
static void load(const char *file) {
  FILE *f = fopen(file, "r");
  int as, afi;
  char name[32];
  while (fscanf(f, "%d %d %31s", &as, &afi, name) == 3) {
    struct peer *p = calloc(1, sizeof *p);
    struct filter *filter = &p->filter[afi & 1][0];
    p->as = as;
    filter->list[0].name = strdup(name);
    filter->map.name = strdup(name);
    p->next = peers;
    peers = p;
  }
  fclose(f);
}
int main(int argc, char **argv) {
  char s[80];
  struct peer *p;
  load(argv[1]);
  while (fgets(s, sizeof s, stdin))
    for (p = peers; p; p = p->next)
      p->filter[0][0].map.name[0]++;
  return 0;
}
