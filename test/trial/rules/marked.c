// A table into which commands alone put what the load has made.
//
// rules: findHandlerFilledTables
// state: 3 4 5
// input: 3, 5, 4
#include <stdio.h>
#include <stdlib.h>
struct item { struct item *next; int id; };
static struct item *items, *marked[16];
static int marked_count;
static void load(void) {
  FILE *f = fopen("state", "r");
  int id;
  if (!f)
    return;
  while (fscanf(f, "%d", &id) == 1) {
    struct item *i = malloc(sizeof *i);
    i->id = id;
    i->next = items;
    items = i;
  }
  fclose(f);
}
static struct item *find(int id) {
  struct item *i = items;
  while (i && i->id != id)
    i = i->next;
  return i;
}
static void mark(struct item *i) {
  if (i && marked_count < 16)
    marked[marked_count++] = i;
}
static void command(const char *line) {
  mark(find(atoi(line)));
  for (int i = 0; i < marked_count; i++)
    printf("%d ", marked[i]->id);
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
