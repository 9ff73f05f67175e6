// Static slots, linked once, when the first is needed: the flag goes with the links.
//
// rules: findOnceGuards
// state: ann bob
// input: eve, -, joe, sue, -, tim
#include <stdio.h>
#include <string.h>
struct slot { struct slot *next; char name[8]; };
static struct slot slots[6], *unused, *busy;
static int made;
static void make(void) {
  if (made)
    return;
  made = 1;
  for (int i = 0; i < 6; i++) {
    slots[i].next = unused;
    unused = &slots[i];
  }
}
static void add(const char *name) {
  make();
  struct slot *s = unused;
  if (!s)
    return;
  unused = s->next;
  snprintf(s->name, sizeof s->name, "%s", name);
  s->next = busy;
  busy = s;
}
static void drop(void) {
  struct slot *s = busy;
  make();
  if (!s)
    return;
  busy = s->next;
  s->next = unused;
  unused = s;
}
static void load(void) {
  FILE *f = fopen("state", "r");
  char name[8];
  if (!f)
    return;
  while (fscanf(f, "%7s", name) == 1)
    add(name);
  fclose(f);
}
static void command(const char *line) {
  char name[8];
  int n = 0;
  if (line[0] == '-')
    drop();
  else if (sscanf(line, "%7s", name) == 1)
    add(name);
  for (struct slot *s = busy; s && n < 20; s = s->next, n++)
    printf("%s ", s->name);
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
