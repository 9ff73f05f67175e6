// A command is left by longjmp(): the section that it was in ends there.
//
// rules: findSectionEscapes
// state: 5 7
// input: 3, bad, 9, 4, 6
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
struct item { struct item *next; int level; };
static struct item *items;
static jmp_buf back;
static void add(int level) {
  struct item *i = malloc(sizeof *i);
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
static int number(const char *line) {
  int level;
  if (sscanf(line, "%d", &level) != 1)
    longjmp(back, 1);
  return level;
}
static void command(const char *line) {
  add(number(line));
  for (struct item *i = items; i; i = i->next)
    printf("%d ", i->level);
  putchar('\n');
}
int main(void) {
  char line[64];
  load();
  if (setjmp(back))
    puts("not a number");
  fflush(stdout);
  while (fgets(line, sizeof line, stdin)) {
    command(line);
    fflush(stdout);
  }
  return 0;
}
