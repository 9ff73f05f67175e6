// Objects of the pool point to static ones, which lie elsewhere in the next run.
//
// rules: findStaticReferents
// state: ant bee
// input: bee, ant, cow
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct kind { const char *name; int legs; };
static struct kind kinds[] = {{"ant", 6}, {"bee", 6}, {"cow", 4}};
struct item { struct item *next; const struct kind *kind; };
static struct item *items;
static void add(const char *name) {
  struct item *i = malloc(sizeof *i);
  i->kind = &kinds[0];
  for (int k = 0; k < 3; k++)
    if (!strcmp(kinds[k].name, name))
      i->kind = &kinds[k];
  i->next = items;
  items = i;
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
    printf("%s %d ", i->kind->name, i->kind->legs);
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
