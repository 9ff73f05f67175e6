// A table that start-up makes and a command makes larger: its size goes with it.
//
// rules: findRootIndicesAndSizes
// state: 1 5 9 13
// input: find 13, grow, find 13, find 9, find 5
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { struct item *next; unsigned id; };
static struct item **table;
static unsigned mask;
static void make(unsigned size) {
  table = calloc(size, sizeof *table);
  mask = size - 1;
}
static void insert(struct item *i) {
  struct item **at = &table[i->id & mask];
  i->next = *at;
  *at = i;
}
static void grow(void) {
  struct item **old = table, *i, *next;
  unsigned size = mask + 1;
  make(size * 4);
  for (unsigned k = 0; k < size; k++)
    for (i = old[k]; i; i = next) {
      next = i->next;
      insert(i);
    }
  free(old);
}
static void load(void) {
  FILE *f = fopen("state", "r");
  unsigned id;
  if (!f)
    return;
  while (fscanf(f, "%u", &id) == 1) {
    struct item *i = malloc(sizeof *i);
    i->id = id;
    insert(i);
  }
  fclose(f);
}
static void command(const char *line) {
  unsigned id = 0;
  struct item *i;
  if (!strncmp(line, "grow", 4))
    grow();
  sscanf(line, "find %u", &id);
  for (i = table[id & mask]; i && i->id != id; i = i->next)
    ;
  puts(i ? "found" : "not found");
}
int main(void) {
  char line[64];
  make(4);
  load();
  while (fgets(line, sizeof line, stdin)) {
    command(line);
    fflush(stdout);
  }
  return 0;
}
