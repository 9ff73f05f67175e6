// An allocator of the program's own stores each block that it makes: in a
// vector, in a list of headers. What hangs there hangs from the vector, and
// each call's block has the type of that call. A list of char *, kept to free
// all at once, leads to no record.
//
// RUN: cd %S && %nvmove --load load --print types Allocators-linking_allocator.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// CHECK-DAG: vector
// CHECK-DAG: host
// CHECK-DAG: header
// CHECK-DAG: user

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vector { void **items; int count, room; };
struct host { char *name; int state; };
static struct vector hosts;

static void *push(struct vector *v, size_t size_bytes) {
  if (v->count == v->room)
    v->items = realloc(v->items, (v->room = 2 * v->room + 4) * sizeof *v->items);
  return v->items[v->count++] = calloc(1, size_bytes);
}

struct header { struct header *next; size_t size_bytes; };
struct user { char name[32]; long uid; };
static struct header *all;

static void *make(size_t size_bytes) {
  struct header *h = calloc(1, sizeof *h + size_bytes);
  h->size_bytes = size_bytes;
  h->next = all;
  all = h;
  return h + 1;
}

struct region { char *blocks; size_t used; };
struct token { char text[32]; int kind; };
static struct region scratch;

static void *take(struct region *r, size_t size_bytes) {
  char *block = malloc(sizeof(char *) + size_bytes);
  *(char **)block = r->blocks;
  r->blocks = block;
  r->used += size_bytes;
  return block + sizeof(char *);
}

int load(void) {
  int kind;
  long number;
  char name[32];
  FILE *f = fopen("db", "r");
  if (!f)
    return -1;
  while (fscanf(f, "%d %31s %ld", &kind, name, &number) == 3) {
    struct token *t = take(&scratch, sizeof *t);
    strcpy(t->text, name);
    t->kind = kind;
    if (t->kind) {
      struct host *h = push(&hosts, sizeof *h);
      h->name = strdup(t->text);
      h->state = number;
    } else {
      struct user *u = make(sizeof *u);
      strcpy(u->name, t->text);
      u->uid = number;
    }
  }
  fclose(f);
  return 0;
}

int main(void) {
  char line[64];
  load();
  while (fgets(line, sizeof line, stdin)) {
    for (int i = 0; i < hosts.count; i++)
      puts(((struct host *)hosts.items[i])->name);
    for (struct header *h = all; h; h = h->next)
      puts(((struct user *)(h + 1))->name);
  }
  return 0;
}
