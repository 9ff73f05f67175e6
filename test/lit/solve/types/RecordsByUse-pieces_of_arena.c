// A text of the file is read into a piece of the arena. What the arena cuts off
// next, for whoever asks, is another piece, and no record of that text.
//
// RUN: %nvmove --load load --print types %s -- > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// CHECK: arena
// CHECK: zone

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arena {
  char *data;
  size_t used, count;
  void **chunks;
  void *(*allocate)(size_t);
};
struct zone {
  struct zone *next;
  char *name;
};
struct session {
  int socket;
};
struct timer {
  long at;
};
struct reply {
  int length;
};

static struct zone *zones;
static struct arena *all;

void keep(struct arena *a, void *chunk) {
  a->chunks = realloc(a->chunks, (a->count + 1) * sizeof(void *));
  a->chunks[a->count++] = chunk;
}

void *cut(struct arena *a, size_t n) {
  if (a->used + n > 4096) {
    void *chunk = a->allocate(4096);
    keep(a, chunk);
    a->data = chunk;
    a->used = 0;
  }
  void *piece = a->data + a->used;
  a->used += (n + 15) & ~(size_t)15;
  return piece;
}

char *text(struct arena *a, FILE *in, int length) {
  char *to = cut(a, length + 1);
  to[fread(to, 1, length, in)] = 0;
  return to;
}

void load(const char *name) {
  int length;
  FILE *in = fopen(name, "r");
  while (in && fscanf(in, "%d ", &length) == 1) {
    struct zone *z = cut(all, sizeof(struct zone));
    z->name = text(all, in, length);
    z->next = zones;
    zones = z;
  }
  if (in)
    fclose(in);
}

void answer(const char *name) {
  struct session *s = (struct session *)cut(all, sizeof(struct session));
  struct timer *t = (struct timer *)cut(all, sizeof(struct timer));
  struct reply *r = (struct reply *)cut(all, sizeof(struct reply));
  s->socket = 1;
  t->at = 2;
  r->length = 0;
  for (struct zone *z = zones; z; z = z->next)
    r->length += !strcmp(z->name, name);
  printf("%d %d %ld\n", r->length, s->socket, t->at);
}

int main(void) {
  char line[100];
  all = calloc(1, sizeof *all);
  all->used = 4096;
  all->allocate = malloc;
  load("zones");
  while (fgets(line, sizeof line, stdin))
    answer(line);
}
