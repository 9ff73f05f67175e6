#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
  struct item *next;
  char *name;
  long loaded;
  long served;
};
struct rare {
  long value;
};
struct hidden {
  long value;
};
struct parser {
  char line[80];
  long lines;
};

static struct item *items;
static struct rare *rare;
static struct hidden *hidden;
static long count, limit = 7;

static void add_item(const char *name) {
  struct item *item = malloc(sizeof(*item));
  item->name = strdup(name);
  item->loaded = 1;
  item->next = items;
  items = item;
  count++;
}

static void add_rare(const char *text) {
  rare = malloc(sizeof(*rare));
  rare->value = atol(text);
}

void add_hidden(const char *text) {
  hidden = malloc(sizeof(*hidden));
  hidden->value = atol(text);
}

void load(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file)
    return;
  struct parser *parser = calloc(1, sizeof(*parser));
  while (fgets(parser->line, sizeof(parser->line), file)) {
    parser->lines++;
    parser->line[strcspn(parser->line, "\n")] = 0;
    if (!strncmp(parser->line, "rare ", 5))
      add_rare(parser->line + 5);
    else if (!strncmp(parser->line, "hidden ", 7))
      add_hidden(parser->line + 7);
    else if (!strncmp(parser->line, "limit ", 6))
      limit = atol(parser->line + 6);
    else
      add_item(parser->line);
  }
  free(parser);
  fclose(file);
}

static void serve(const char *line) {
  for (struct item *i = items; i; i = i->next)
    if (!strcmp(i->name, line))
      i->served++;
  printf("%ld %ld %ld %ld\n", count, limit, rare ? rare->value : 0,
         hidden ? hidden->value : 0);
}

int main(int argc, char **argv) {
  char line[80];
  load(argc > 1 ? argv[1] : "state");
  while (fgets(line, sizeof(line), stdin)) {
    line[strcspn(line, "\n")] = 0;
    serve(line);
  }
  return 0;
}
