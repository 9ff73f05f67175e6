// Texts in a static array, and the pointer to its end.
//
// rules: findIntraArrayPointers
// state: ann bob
// input: eve, joe, sue, tim
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { struct item *next; int from; };
static struct item *items;
static char names[1000], *end = names;
static void add(const char *name) {
  struct item *i = malloc(sizeof *i);
  i->from = (int)(end - names);
  i->next = items;
  items = i;
  strcpy(end, name);
  end += strlen(name) + 1;
}
static void load(void) {
  FILE *f = fopen("state", "r");
  char name[32];
  if (!f)
    return;
  while (fscanf(f, "%31s", name) == 1)
    add(name);
  fclose(f);
}
static void command(const char *line) {
  char name[32];
  if (sscanf(line, "%31s", name) == 1)
    add(name);
  for (struct item *i = items; i; i = i->next)
    printf("%s ", names + i->from);
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
