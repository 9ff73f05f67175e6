// Notes that commands alone make hang from what is loaded.
//
// rules: findHandlerTypes
// state: 5 7
// input: note 5 1, note 7 2, show, note 5 3, show
#include <stdio.h>
#include <stdlib.h>
struct note { struct note *next; int text; };
struct item { struct item *next; struct note *notes; int id; };
static struct item *items;
static void load(void) {
  FILE *f = fopen("state", "r");
  int id;
  if (!f)
    return;
  while (fscanf(f, "%d", &id) == 1) {
    struct item *i = calloc(1, sizeof *i);
    i->id = id;
    i->next = items;
    items = i;
  }
  fclose(f);
}
static void note(struct item *i, int text) {
  struct note *n = malloc(sizeof *n);
  n->text = text;
  n->next = i->notes;
  i->notes = n;
}
static void command(const char *line) {
  int id, text;
  if (sscanf(line, "note %d %d", &id, &text) == 2)
    for (struct item *i = items; i; i = i->next)
      if (i->id == id)
        note(i, text);
  for (struct item *i = items; i; i = i->next) {
    printf("%d:", i->id);
    for (struct note *n = i->notes; n; n = n->next)
      printf(" %d", n->text);
    printf("; ");
  }
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
