#include <stdio.h>
#include <stdlib.h>

struct backup {
  int number;
  struct backup *next;
};
static struct backup *backups;

static void save_backup(int number) {
  struct backup *b = malloc(sizeof *b);
  b->number = number;
  b->next = backups;
  backups = b;
}

void die(const char *why) {
  static int again;
#ifndef RETURNS
  if (++again > 1)
    exit(11);
#endif
  fprintf(stderr, "%s\n", why);
  save_backup(again);
  while (backups && backups->number < 3)
    save_backup(backups->number + 1);
#ifndef RETURNS
  exit(1);
#endif
}

void run(void) {
  char line[80];
  while (fgets(line, sizeof line, stdin))
    puts(line);
  die("done");
}
