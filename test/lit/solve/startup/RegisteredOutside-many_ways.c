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

static int length0(const struct set *s) { return (int)strlen(s->name); }
static int length1(const struct set *s) { return length0(s) + length0(s); }
static int length2(const struct set *s) { return length1(s) + length1(s); }
static int length3(const struct set *s) { return length2(s) + length2(s); }
static int length4(const struct set *s) { return length3(s) + length3(s); }
static int length5(const struct set *s) { return length4(s) + length4(s); }
static int length6(const struct set *s) { return length5(s) + length5(s); }
static int length7(const struct set *s) { return length6(s) + length6(s); }
static int length8(const struct set *s) { return length7(s) + length7(s); }
static int length9(const struct set *s) { return length8(s) + length8(s); }
static int length10(const struct set *s) { return length9(s) + length9(s); }
static int length11(const struct set *s) { return length10(s) + length10(s); }
static int length12(const struct set *s) { return length11(s) + length11(s); }
static int length13(const struct set *s) { return length12(s) + length12(s); }
static int length14(const struct set *s) { return length13(s) + length13(s); }
static void put(struct all *a, struct set *s) {
  s->next = a->first;
  a->first = s;
}
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
  if (length14(s) > 0)
    put(a, s);
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
