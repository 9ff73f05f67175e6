// Start-up puts an object into the list before the load, and keeps a pointer to it.
//
// rules: findPreLoadAliases
// state: 3 4 5
// input: 3, 5, 4
#include <stdio.h>
#include <stdlib.h>
struct item { struct item *next; int id, uses; };
static struct item *items, *standard;
static struct item *find_or_make(int id) {
  struct item *i;
  for (i = items; i; i = i->next)
    if (i->id == id)
      return i;
  i = calloc(1, sizeof *i);
  i->id = id;
  i->next = items;
  return items = i;
}
static void load(void) {
  FILE *f = fopen("state", "r");
  int id;
  if (!f)
    return;
  while (fscanf(f, "%d", &id) == 1)
    find_or_make(id);
  fclose(f);
}
static void command(const char *line) {
  standard->uses += find_or_make(atoi(line))->id;
  for (struct item *i = items; i; i = i->next)
    printf("%d/%d ", i->id, i->uses);
  printf("of %d\n", standard->uses);
}
int main(void) {
  char line[64];
  standard = find_or_make(0);
  load();
  while (fgets(line, sizeof line, stdin)) {
    command(line);
    fflush(stdout);
  }
  return 0;
}
