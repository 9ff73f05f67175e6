// The set that is loaded is handed on in more ways than are followed: that is said.
//
// RUN: %nvmove_act --load load --out %t --force %s > %t.out
// RUN: FileCheck %s --input-file %t.out
// CHECK: registrations-open{{ +}}where open_set() puts an object that it has loaded was not followed to the end: there are too many ways
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item {
  struct item *next;
  int id;
};
struct set {
  struct set *next;
  char *name;
  struct item *items;
};
struct all {
  struct set *first;
};

static void put(struct all *a, struct set *s) {
  s->next = a->first;
  a->first = s;
}
static void put1(struct all *a, struct set *s) { s->items ? put(a, s) : put(a, s); }
static void put2(struct all *a, struct set *s) { s->items ? put1(a, s) : put1(a, s); }
static void put3(struct all *a, struct set *s) { s->items ? put2(a, s) : put2(a, s); }
static void put4(struct all *a, struct set *s) { s->items ? put3(a, s) : put3(a, s); }
static void put5(struct all *a, struct set *s) { s->items ? put4(a, s) : put4(a, s); }
static void put6(struct all *a, struct set *s) { s->items ? put5(a, s) : put5(a, s); }
static void put7(struct all *a, struct set *s) { s->items ? put6(a, s) : put6(a, s); }
static void put8(struct all *a, struct set *s) { s->items ? put7(a, s) : put7(a, s); }
static void put9(struct all *a, struct set *s) { s->items ? put8(a, s) : put8(a, s); }
static void put10(struct all *a, struct set *s) { s->items ? put9(a, s) : put9(a, s); }
static void put11(struct all *a, struct set *s) { s->items ? put10(a, s) : put10(a, s); }
static void put12(struct all *a, struct set *s) { s->items ? put11(a, s) : put11(a, s); }
static void put13(struct all *a, struct set *s) { s->items ? put12(a, s) : put12(a, s); }
static void put14(struct all *a, struct set *s) { s->items ? put13(a, s) : put13(a, s); }
static void put15(struct all *a, struct set *s) { s->items ? put14(a, s) : put14(a, s); }
static void put16(struct all *a, struct set *s) { s->items ? put15(a, s) : put15(a, s); }
static void add(struct set *s, int id) {
  struct item *i = malloc(sizeof *i);
  i->id = id;
  i->next = s->items;
  s->items = i;
}
static void load(struct set *s, FILE *in) {
  int id;
  while (fscanf(in, "%d", &id) == 1)
    add(s, id);
}
static struct set *open_set(struct all *a, const char *name) {
  FILE *in = fopen(name, "r");
  if (!in)
    return NULL;
  struct set *s = calloc(1, sizeof *s);
  s->name = strdup(name);
  load(s, in);
  fclose(in);
  put16(a, s);
  return s;
}
static void open_sets(struct all *a, char **names) {
  for (; *names; names++)
    if (!open_set(a, *names))
      exit(1);
}
static struct set *find(struct all *a, const char *name) {
  struct set *s;
  for (s = a->first; s && strcmp(s->name, name); s = s->next)
    ;
  return s ? s : open_set(a, name);
}
int main(int argc, char **argv) {
  struct all all = {NULL};
  char name[80];
  int id;
  open_sets(&all, argv + 1);
  while (scanf("%79s %d", name, &id) == 2) {
    struct set *s = find(&all, name);
    if (s)
      add(s, id);
    printf("%d\n", s != NULL);
  }
  return argc < 0;
}
