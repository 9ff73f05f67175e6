// Each object has a stream, opened when it is first needed, which ends with the process.
//
// rules: findTransientFields
// state: 1 2
// input: 1, 2, 1, 2
#include <stdio.h>
#include <stdlib.h>
struct item { struct item *next; FILE *log; int id, said; };
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
static void say(struct item *i) {
  if (!i->log)
    i->log = fopen("log", "a");
  i->said++;
  if (i->log) {
    fprintf(i->log, "%d\n", i->said);
    fflush(i->log);
  }
}
static void command(const char *line) {
  int id = atoi(line);
  for (struct item *i = items; i; i = i->next) {
    if (i->id == id)
      say(i);
    printf("%d/%d ", i->id, i->said);
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
