// A table hashed with a number that each start draws anew.
//
// rules: findSeeds
// varies: where an object is in the table
// state: ann bob eve
// input: ann, joe, eve, joe, bob
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { struct item *next; char name[16]; };
static struct item *table[8192];
static unsigned seed;
static unsigned chain(const char *name) {
  unsigned h = seed;
  for (; *name; name++)
    h = h * 31 + (unsigned char)*name;
  return h % 8192; // two starts seldom agree
}
static struct item *find(const char *name) {
  struct item *i = table[chain(name)];
  while (i && strcmp(i->name, name))
    i = i->next;
  return i;
}
static void add(const char *name) {
  struct item *i = calloc(1, sizeof *i), **at = &table[chain(name)];
  snprintf(i->name, sizeof i->name, "%s", name);
  i->next = *at;
  *at = i;
}
static void load(void) {
  FILE *f = fopen("state", "r");
  char name[16];
  if (!f)
    return;
  while (fscanf(f, "%15s", name) == 1)
    add(name);
  fclose(f);
}
static void draw(void) {
  FILE *f = fopen("/dev/urandom", "r");
  if (!f || fread(&seed, sizeof seed, 1, f) != 1)
    abort();
  fclose(f);
}
static void command(const char *line) {
  char name[16] = "";
  sscanf(line, "%15s", name);
  if (find(name)) {
    puts("known");
    return;
  }
  add(name);
  puts("new");
}
int main(void) {
  char line[64];
  draw();
  load();
  while (fgets(line, sizeof line, stdin)) {
    command(line);
    fflush(stdout);
  }
  return 0;
}
