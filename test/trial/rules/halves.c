// A command answers in the midst of what it changes.
//
// rules: reportCutHandlers
// told: cut-update
// points: 8
// state: 5 7
// input: 3, 9, 4, 6, 2
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct item { struct item *next; int level, told; };
static struct item *items;
static void add(int level) {
  struct item *i = calloc(1, sizeof *i);
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
static void say(void) {
  char text[200];
  int n = 0;
  for (struct item *i = items; i; i = i->next)
    n += snprintf(text + n, sizeof text - n, "%d/%d ", i->level, i->told);
  text[n++] = '\n';
  if (write(1, text, n) != n)
    abort();
}
static void command(const char *line) {
  add(atoi(line));
  items->told++;
  say();
  items->told++;
}
int main(void) {
  char line[64];
  load();
  while (fgets(line, sizeof line, stdin))
    command(line);
  return 0;
}
