// The load sets a variable of the environment, which the next process lacks.
//
// rules: reportLoadChangesProcess
// told: load-changes-process
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
  setenv("LEVELS", "read", 1);
}
static void command(const char *line) {
  const char *levels = getenv("LEVELS");
  add(atoi(line));
  for (struct item *i = items; i; i = i->next)
    printf("%d ", i->level);
  puts(levels ? levels : "unread");
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
