// Tickets that commands alone count, and put into what is loaded.
//
// rules: findStoredCounters
// state: 5 7
// input: 3, 9, 4
#include <stdio.h>
#include <stdlib.h>
struct item { struct item *next; int level; unsigned ticket; };
static struct item *items;
static unsigned tickets;
static struct item *add(int level) {
  struct item *i = calloc(1, sizeof *i);
  i->level = level;
  i->next = items;
  return items = i;
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
  add(atoi(line))->ticket = ++tickets;
  for (struct item *i = items; i; i = i->next)
    printf("%d/%u ", i->level, i->ticket);
  putchar('\n');
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
