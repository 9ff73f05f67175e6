// Records that lie in objects of other types: in an array of bytes or numbers
// within a record, in a table of plain cells, and behind a record.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load --print types chunks.c > out
// RUN: FileCheck %s --input-file out --match-full-lines --implicit-check-not={{.}} --check-prefix=CHUNKS
// CHUNKS-DAG: chunk
// CHUNKS-DAG: rec
// RUN: %nvmove --load load --print roots chunks.c > out
// RUN: FileCheck %s --input-file out --check-prefix=ROOTS
// ROOTS: all
// RUN: %nvmove --load load --print types cells.c > out
// RUN: FileCheck %s --input-file out --match-full-lines --implicit-check-not={{.}} --check-prefix=CELLS
// CELLS-DAG: cell
// CELLS-DAG: rec
// RUN: %nvmove --load load --print types behind.c > out
// RUN: FileCheck %s --input-file out --match-full-lines --implicit-check-not={{.}} --check-prefix=BEHIND
// BEHIND-DAG: device
// BEHIND-DAG: disk
// BEHIND-DAG: node
// BEHIND-DAG: car
// RUN: %nvmove --load load --print types one_block.c > out
// RUN: FileCheck %s --input-file out --match-full-lines --implicit-check-not={{.}} --check-prefix=BLOCK
// BLOCK-DAG: sheet
// BLOCK-DAG: column

//--- chunks.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct chunk {
  struct chunk *next;
  size_t used;
  char memory[1000];
};
struct rec {
  struct rec *next;
  int id;
};
struct stranger { /* longer than any array there is */
  int id[400];
};
static struct chunk *chunks;
static struct rec *all;
static void *get(size_t n) {
  if (!chunks || chunks->used + n > sizeof chunks->memory) {
    struct chunk *c = malloc(sizeof *c);
    c->next = chunks;
    c->used = 0;
    chunks = c;
  }
  chunks->used += n;
  return chunks->memory + chunks->used - n;
}
static void load(void) {
  int id;
  while (scanf("%d", &id) == 1) {
    struct rec *r = get(sizeof *r);
    struct stranger *s = get(0);
    if (id < 0)
      s->id[0] = id;
    r->id = id;
    r->next = all;
    all = r;
  }
}
int main(void) {
  load();
  while (getchar() != EOF)
    puts(all ? "some" : "none");
  return 0;
}

//--- cells.c
#include <stdio.h>
#include <stdlib.h>
struct cell {
  long word[2];
};
struct rec {
  struct rec *next;
  int id;
};
static struct cell *cells;
static int used, size;
static struct rec *all;
static void *get(size_t n) {
  int k = (n + sizeof(struct cell) - 1) / sizeof(struct cell);
  if (used + k > size) {
    size = 64;
    cells = calloc(size, sizeof(struct cell));
    used = 0;
  }
  used += k;
  return cells + used - k;
}
static void load(void) {
  int id;
  while (scanf("%d", &id) == 1) {
    struct rec *r = get(sizeof *r);
    r->id = id;
    r->next = all;
    all = r;
  }
}
int main(void) {
  load();
  while (getchar() != EOF)
    puts(all ? "some" : "none");
  return 0;
}

//--- behind.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct device {
  struct device *next;
  size_t size;
};
struct disk {
  long blocks;
};
struct node {
  struct node *next;
};
struct car {
  int id;
};
struct scratch {
  int used;
};
static struct device *devices;
static struct node *nodes;
static struct scratch *scratch;
static struct device *make(size_t size) {
  struct device *d = calloc(1, sizeof *d + size);
  d->size = size;
  d->next = devices;
  devices = d;
  return d;
}
static void *private(struct device *d) { return (char *)d + sizeof *d; }
static void push(const void *element, size_t size) {
  struct node *n = malloc(sizeof *n + size);
  memcpy(n + 1, element, size);
  n->next = nodes;
  nodes = n;
}
static void load(void) {
  int id;
  while (scanf("%d", &id) == 1) {
    struct disk *k = private(make(sizeof *k));
    struct car c = {id};
    k->blocks = id;
    push(&c, sizeof c);
  }
  if (scratch)
    scratch->used++;
}
int main(void) {
  load();
  while (getchar() != EOF)
    puts(devices ? "some" : "none");
  return 0;
}

//--- one_block.c
#include <stdio.h>
#include <stdlib.h>
struct column {
  int width;
};
struct sheet {
  struct sheet *next;
  int n;
  struct column *columns;
};
static struct sheet *sheets;
static void load(void) {
  int n;
  while (scanf("%d", &n) == 1) {
    size_t size = sizeof(struct sheet) + 16;
    char *memory = calloc(1, size + n * sizeof(struct column));
    struct sheet *s = (struct sheet *)memory;
    s->n = n;
    s->columns = (struct column *)(memory + size);
    s->columns[0].width = n;
    s->next = sheets;
    sheets = s;
  }
}
int main(void) {
  load();
  while (getchar() != EOF)
    puts(sheets ? "some" : "none");
  return 0;
}
