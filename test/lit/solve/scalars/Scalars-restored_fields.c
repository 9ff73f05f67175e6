// Static data that the load fills through pointers, by scanf() or as arrays,
// comes back like any other. So does what lies in an image that is read whole.
//
// RUN: cd %S && %nvmove --load load --print roots Scalars-restored_fields.c -- -std=gnu99 > %t.roots
// RUN: %nvmove_act --load load --analyze-only --force --out %t.out Scalars-restored_fields.c -- -std=gnu99 > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK: 8 restored scalars
// CHECK-DAG: levels gets a value from the file
// CHECK-DAG: settings.inner.a gets a value from the file
// CHECK-DAG: settings.kinds counts what is loaded
// CHECK-DAG: settings.name gets a value from the file
// CHECK-DAG: settings.second gets a value from the file
// CHECK-DAG: settings.version gets a value from the file
// CHECK-DAG: settings.weights gets a value from the file
// CHECK-DAG: title {{.*}} from the file
// RUN: %nvmove --load load --print fields Scalars-restored_fields.c -- -std=gnu99 > %t.fields
// RUN: not grep transient %t.fields
// RUN: FileCheck %s --input-file %t.fields --check-prefix=FIELDS
// FIELDS-DAG: node.value{{.*}}persistent
// FIELDS-DAG: settings.second{{.*}}persistent

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct kind { int v; struct kind *next; };
struct settings {
  int version, second;
  char name[16];
  double weights[4];
  struct kind *first;
  int kinds;
  struct { int a; } inner;
};
static struct settings settings;
static char title[32];
static int levels[8];
struct node { int value; struct node *next; };
struct image { struct node *first; };
static struct image *image;

static void add(struct settings *s, int v) {
  struct kind *k = malloc(sizeof *k);
  k->v = v;
  k->next = s->first;
  s->first = k;
  s->kinds++;
}
static void move(char *base, struct node **p) {
  if (*p)
    *p = (struct node *)(base + (uintptr_t)*p);
}
static void load(struct settings *s, FILE *in) {
  size_t size_bytes;
  if (fscanf(in, "%d %d %15s", &s->version, &s->second, s->name) != 3)
    return;
  for (int i = 0; i < 4; i++)
    if (fscanf(in, "%lf", &s->weights[i]) != 1)
      return;
  s->inner.a = getc(in);
  if (fread(title, 1, sizeof title, in) != sizeof title)
    return;
  for (int i = 0; i < 8; i++)
    levels[i] = getc(in);
  for (int v; (v = getc(in)) > 0;)
    add(s, v);
  if (fread(&size_bytes, sizeof size_bytes, 1, in) != 1)
    return;
  char *bytes = malloc(size_bytes);
  if (fread(bytes, 1, size_bytes, in) != size_bytes)
    return;
  image = (struct image *)bytes;
  move(bytes, &image->first);
  for (struct node *n = image->first; n; n = n->next)
    move(bytes, &n->next);
}
int main(void) {
  load(&settings, stdin);
  return settings.kinds + image->first->value;
}
