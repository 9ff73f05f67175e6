#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
  struct item *next;
  char name[16];
  void *more;
  long number;
};
struct job {
  long kind;
  long time;
};

static struct item *items;
static long count;
static long loaded;
static long latest;

static void put_off(struct item *item) {
  ((struct job *)item->more)->time = atol(item->name + 1);
}

static struct item *load(const char *path) {
  char *name = strdup(path); /* forgotten */
  FILE *file = fopen(name, "r");
  struct item *first = NULL;
  char line[16];
  while (file && fgets(line, sizeof(line), file)) {
    struct item *item = calloc(1, sizeof(*item));
    line[strcspn(line, "\n")] = 0;
    strcpy(item->name, line);
    item->more = malloc(atoi("16"));
    if (*line == '-')
      put_off(item);
    item->number = atol(line);
    item->next = first;
    first = item;
    loaded++;
  }
  if (file)
    fclose(file);
  return first;
}

static struct item *start(const char *path) {
  struct item *first = load(path);
  for (struct item *i = first; i; i = i->next)
    count++;
  latest = first ? first->number : 0;
  return first;
}

int main(int argc, char **argv) {
  char line[16];
  items = start(argc > 1 ? argv[1] : "state");
  while (fgets(line, sizeof(line), stdin))
    printf("%ld %ld %s\n", count, latest, items ? items->name : "");
  return 0;
}
