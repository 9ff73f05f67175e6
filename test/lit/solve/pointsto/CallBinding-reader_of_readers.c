// The load and what leads to it call each other: a line of the file may name
// another file, and main may hand a line to the parser before it loads. The
// parser is on the way to the load and a part of it.
//
// RUN: %nvmove --load read_file --print types %s -- -std=gnu99 | FileCheck %s --match-full-lines
// CHECK-DAG: item
// CHECK-DAG: named
// CHECK-NOT: {{.}}
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
  int key;
  struct item *next;
};
struct named {
  char name[16];
  struct item *item;
  struct named *next;
};
struct message { // only for who looks
  char text[80];
  struct message *next;
};
static struct item *items;
static struct named *names;
static struct message *messages;

void read_file(const char *name);

static void say(const char *text) {
  struct message *m = calloc(1, sizeof *m);
  strncpy(m->text, text, sizeof m->text - 1);
  m->next = messages;
  messages = m;
}

static void add_name(const char *name, struct item *item) {
  struct named *n = calloc(1, sizeof *n);
  strncpy(n->name, name, sizeof n->name - 1);
  n->item = item;
  n->next = names;
  names = n;
}

static void parse(const char *line) {
  if (line[0] == '<') {
    read_file(line + 1);
    return;
  }
  struct item *it = malloc(sizeof *it);
  it->key = atoi(line);
  it->next = items;
  items = it;
  add_name(line, it);
}

void read_file(const char *name) {
  char line[80];
  FILE *f = fopen(name, "r");
  while (f && fgets(line, sizeof line, f))
    parse(line);
  if (f)
    fclose(f);
}

int main(int argc, char **argv) {
  if (argc > 2)
    parse(argv[2]);
  else
    say("nothing to do first");
  read_file(argv[1]);
  for (char line[80]; fgets(line, sizeof line, stdin);)
    for (struct named *n = names; n; n = n->next)
      if (!strcmp(n->name, line))
        printf("%d\n", n->item->key);
  return 0;
}
