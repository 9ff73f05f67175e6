// Records without blocks of their own: elements that are copied into bytes,
// static arrays, blocks cut from a static array of bytes, a mapped file. What a
// function looked up last and keeps for itself is none.
//
// RUN: cd %S && %nvmove --load load --print types RecordsInBytes-tables.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// CHECK-DAG: vector
// CHECK-DAG: element
// CHECK-DAG: room
// CHECK-DAG: word
// CHECK-DAG: header
// CHECK-DAG: record
// CHECK-DAG: kind
// CHECK-DAG: range
//
// What stays in static memory without being kept is said.
// RUN: %nvmove_act --load load --analyze-only --force --out %t.out RecordsInBytes-tables.c -- -std=gnu99 > %t.log
// RUN: FileCheck %s --input-file %t.log --check-prefix=LOG
// LOG: RecordsInBytes-tables.c:[[#]]:[[#]] state-in-static the load fills parts of arena and keeps pointers

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct vector { char *data; size_t used, size_bytes; };
static void push(struct vector *v, const void *element) {
  v->data = realloc(v->data, (v->used + 1) * v->size_bytes);
  memcpy(v->data + v->used++ * v->size_bytes, element, v->size_bytes);
}
struct element { int key, value; };
static struct vector *elements;

struct room { int x, y; };
static struct room rooms[16];
static int room_count;

struct range { int low, high; };
struct kind { const char *name; struct range range; };
static struct kind kinds[2] = {{"mouse"}, {"cat"}};

struct word { char text[12]; struct word *next; };
static char arena[1 << 12];
static size_t arena_used;
static struct word *words;

struct header { int count, offset; };
struct record { int id; };
static struct header *header;
static struct record *records;

static struct { struct word *last; int count; } untagged; /* no type's name */

struct looked_up { int x, y; };
static int distance(int x) {
  static struct looked_up last[1];
  if (last[0].x != x) {
    last[0].x = x;
    last[0].y = x * x;
  }
  return last[0].y;
}

static void load(FILE *in) {
  struct element e;
  elements = calloc(1, sizeof *elements);
  elements->size_bytes = sizeof e;
  while (fread(&e, sizeof e, 1, in) == 1)
    push(elements, &e);
  for (int x, y; fscanf(in, "%d %d", &x, &y) == 2; room_count++) {
    rooms[room_count % 16].x = x;
    rooms[room_count % 16].y = distance(y);
  }
  if (fscanf(in, "%d", &kinds[1].range.low) != 1)
    return;
  for (char text[12]; fscanf(in, "%11s", text) == 1;) {
    struct word *w = (struct word *)(arena + arena_used);
    arena_used += sizeof *w;
    strcpy(w->text, text);
    w->next = words;
    words = w;
    untagged.last = w;
  }
  void *file = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fileno(in), 0);
  header = file;
  records = (struct record *)((char *)file + header->offset);
}
int main(void) {
  load(stdin);
  return rooms[0].x + words->text[0] + records[0].id +
         ((struct element *)elements->data)->key;
}
