// What is cut from an arena comes back: records in the member of a chunk, and
// private data behind a record.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load program.c > out
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: gcc -I %runtime_include program.c %runtime_lib -o app
// RUN: printf "1 2" > state
// RUN: printf 3x | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: env NVM_POOL=%t/pool ./app < /dev/null > log
// RUN: FileCheck %s --input-file log
// CHECK:      3 4 3
// CHECK-NEXT: 2 3 2
// CHECK-NEXT: 1 2 1

//--- program.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct chunk {
  struct chunk *next;
  size_t used;
  char memory[100];
};
struct device {
  struct device *next;
  size_t size;
};
struct disk {
  int blocks;
  int *spare;
};
struct rec {
  struct rec *next;
  int id;
  struct disk *disk;
};
static struct chunk *chunks;
static struct device *devices;
static struct rec *all;

static void *get(size_t n) {
  n = (n + 7) & ~(size_t)7;
  if (!chunks || chunks->used + n > sizeof chunks->memory) {
    struct chunk *c = malloc(sizeof *c);
    c->next = chunks;
    c->used = 0;
    chunks = c;
  }
  chunks->used += n;
  return chunks->memory + chunks->used - n;
}
static void *private(struct device *d) { return (char *)d + sizeof *d; }
static struct device *make(size_t size) {
  struct device *d = calloc(1, sizeof *d + size);
  d->size = size;
  d->next = devices;
  devices = d;
  return d;
}
static void add(int id) {
  struct rec *r = get(sizeof *r);
  r->id = id;
  r->disk = private(make(sizeof(struct disk)));
  r->disk->blocks = id;
  r->disk->spare = malloc(sizeof(int));
  *r->disk->spare = id;
  r->next = all;
  all = r;
}
static void load(void) {
  int id;
  FILE *f = fopen("state", "r");
  if (!f)
    return;
  while (fscanf(f, "%d", &id) == 1)
    add(id);
  fclose(f);
}
static void command(int c) {
  struct device *d;
  if (c == 'x')
    kill(getpid(), SIGKILL);
  add(c - '0');
  for (d = devices; d; d = d->next) {
    struct disk *disk = private(d);
    disk->blocks++;
  }
}
int main(void) {
  int c;
  load();
  while ((c = getchar()) != EOF)
    command(c);
  for (struct rec *r = all; r; r = r->next)
    printf("%d %d %d\n", r->id, r->disk->blocks, *r->disk->spare);
  return 0;
}
