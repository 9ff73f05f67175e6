// Files of records are read whole into blocks that only the table of files
// knows the size of; what they are is said where they are used, after the load.
// A buffer of text that is read in the same way is no record.
//
// RUN: cd %S && %nvmove --load openAll --print types RecordsInBytes-raw_cache.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// CHECK-DAG: ship
// CHECK-DAG: plane
// CHECK-DAG: point
// CHECK-DAG: row
// CHECK-DAG: file

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point { int x, y; };
struct ship { struct point at; int crew; };
struct plane { char name[16]; int fuel; };
struct row { int key, value; };
struct command { const char *name; int (*run)(int); };

enum { SHIPS, PLANES, FILES };
static struct file {
  const char *name;
  size_t size_bytes;
  int count;
  char *cache;
} files[FILES] = {{"ships", sizeof(struct ship)}, {"planes", sizeof(struct plane)}};
static struct { void *rows; size_t size_bytes; } table;
static char *text;

static void open_file(struct file *t) {
  FILE *f = fopen(t->name, "r");
  if (!f)
    exit(1);
  fseek(f, 0, SEEK_END);
  t->count = ftell(f) / t->size_bytes;
  rewind(f);
  t->cache = malloc(t->count * t->size_bytes);
  if (fread(t->cache, t->size_bytes, t->count, f) != (size_t)t->count)
    exit(1);
  fclose(f);
}

void openAll(void) {
  for (int i = 0; i < FILES; i++)
    open_file(&files[i]);
  FILE *f = fopen("table", "r");
  if (!f || fread(&table.size_bytes, sizeof table.size_bytes, 1, f) != 1)
    exit(1);
  table.rows = malloc(8 * table.size_bytes);
  if (fread(table.rows, table.size_bytes, 8, f) != 8)
    exit(1);
  text = malloc(4096);
  text[fread(text, 1, 4095, f)] = 0;
  fclose(f);
}

static void *at(int type, int i) {
  struct file *t = &files[type];
  return i < t->count ? t->cache + t->size_bytes * i : NULL;
}
#define SHIP(i) ((struct ship *)at(SHIPS, i))
static void *row_at(int i) { return (char *)table.rows + i * table.size_bytes; }

static int crew(int i) { return SHIP(i)->crew + SHIP(i)->at.x; }
static int fuel(int i) {
  struct plane *p = at(PLANES, i);
  return p ? p->fuel : 0;
}
static int value_of(void *p) {
  struct row *r = p;
  return r->value;
}
static int value(int i) { return value_of(row_at(i)); }

static const struct command commands[] = {{"crew", crew}, {"fuel", fuel}, {"value", value}};

int main(void) {
  char name[16];
  int i;
  openAll();
  puts(text);
  while (scanf("%15s %d", name, &i) == 2)
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++)
      if (!strcmp(commands[k].name, name))
        printf("%d\n", commands[k].run(i));
  return 0;
}
