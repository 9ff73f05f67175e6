// All that it has is freed before it ends, which must not empty the pool.
//
// rules: findExitTeardown
// state: 5 7
// input: 3, 9, 4
#include <stdio.h>
#include <stdlib.h>
struct item { struct item *next; int level; };
static struct item *items;
static void add(int level) {
  struct item *i = malloc(sizeof *i);
  i->level = level;
  i->next = items;
  items = i;
}
static void load(void) {
  FILE *f = fopen("state", "r");
  int level;
  if (!f)
    return;
  while (fscanf(f, "%d", &level) == 1)
    add(level);
  fclose(f);
}
static void free_all(void) {
  while (items) {
    struct item *next = items->next;
    free(items);
    items = next;
  }
}
static void command(const char *line) {
  add(atoi(line));
  for (struct item *i = items; i; i = i->next)
    printf("%d ", i->level);
  putchar('\n');
}
int main(void) {
  char line[64];
  load();
  while (fgets(line, sizeof line, stdin)) {
    command(line);
    fflush(stdout);
  }
  free_all();
  return 0;
}
