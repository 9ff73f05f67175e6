// A number that commands change beside what is loaded.
//
// rules: findChangedWithState
// answer: --keep edits
// state: 5 7
// input: add 3, show, add 9, show
#include <stdio.h>
#include <stdlib.h>
struct item { struct item *next; int level; };
static struct item *items;
static long edits;
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
static void command(const char *line) {
  int level;
  if (sscanf(line, "add %d", &level) == 1) {
    add(level);
    edits++;
  }
  for (struct item *i = items; i; i = i->next)
    printf("%d ", i->level);
  printf("after %ld\n", edits);
}
int main(void) {
  char line[64];
  load();
  while (fgets(line, sizeof line, stdin)) {
    command(line);
    fflush(stdout);
  }
  return 0;
}
