// A setting that a helper stores through an address, as the text of the file says.
//
// rules: findOutParameterSettings
// state: fast yes level 3
// input: add one, add two, add three
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct setting { struct setting *next; char *name, *value; };
static struct setting *all;
static bool fast;
static void add(const char *name, const char *value) {
  struct setting *s = calloc(1, sizeof *s);
  s->name = strdup(name);
  s->value = strdup(value);
  s->next = all;
  all = s;
}
static void get(const char *name, bool *result) {
  for (struct setting *s = all; s; s = s->next)
    if (!strcmp(s->name, name) && !strcmp(s->value, "yes"))
      *result = true;
}
static void load(void) {
  FILE *f = fopen("state", "r");
  char name[32], value[32];
  if (!f)
    return;
  while (fscanf(f, "%31s %31s", name, value) == 2)
    add(name, value);
  fclose(f);
  get("fast", &fast);
}
static void command(const char *line) {
  char name[32];
  if (sscanf(line, "add %31s", name) == 1)
    add(name, "no");
  for (struct setting *s = all; s; s = s->next)
    printf("%s=%s ", s->name, s->value);
  puts(fast ? "fast" : "slow");
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
