// Each start makes hosts from the configuration and keeps them in a table of
// void *; the load looks them up by name and restores how they are. They are
// persistent, and it is said that the next start makes others. The table's
// own records are as they were.
//
// RUN: cd %S && %nvmove_act --load loadState --analyze-only --force --out %t.out UnreachedRecords-registry.c -- -std=gnu99 > %t.log
// RUN: FileCheck %s --input-file %t.log

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bucket {
  const char *key;
  void *data;
  struct bucket *next;
};
struct table {
  struct bucket **buckets;
};
static struct table *tables[2];

struct host {
  char *name;
  int state;
};
struct service {
  char *name;
  char *output;
};
struct command {
  char *name;
};

static void put(struct table *t, const char *key, void *data) {
  struct bucket *b = calloc(1, sizeof *b);
  b->key = key;
  b->data = data;
  b->next = t->buckets[*key & 7];
  t->buckets[*key & 7] = b;
}

static void *get(struct table *t, const char *key) {
  struct bucket *b;
  if (!t)
    return NULL;
  for (b = t->buckets[*key & 7]; b; b = b->next)
    if (!strcmp(b->key, key))
      return b->data;
  return NULL;
}

static void configure(const char *name) {
  struct host *h = calloc(1, sizeof *h);
  struct service *s = calloc(1, sizeof *s);
  struct command *c = calloc(1, sizeof *c);
  h->name = strdup(name);
  put(tables[0], h->name, h);
  s->name = strdup(name);
  put(tables[1], s->name, s);
  c->name = strdup(name);
  put(tables[1], c->name, c);
}

int loadState(void) {
  char name[64], line[64];
  int state;
  FILE *f = fopen("state", "r");
  if (!f)
    return -1;
  while (fscanf(f, "%63s %d %63s", name, &state, line) == 3) {
    struct host *h = get(tables[0], name);
    struct service *s = get(tables[1], name);
    struct command *c = get(tables[1], name);
    if (h)
      h->state = state;
    if (s)
      s->output = strdup(line);
    if (c)
      printf("%s\n", c->name);
  }
  fclose(f);
  return 0;
}

int main(int argc, char **argv) {
  for (int i = 0; i < 2; i++) {
    tables[i] = calloc(1, sizeof **tables);
    tables[i]->buckets = calloc(8, sizeof(struct bucket *));
  }
  for (int i = 1; i < argc; i++)
    configure(argv[i]);
  loadState();
  return 0;
}

// CHECK: 2 persistent types
// CHECK-NEXT: host {{.*}}writes host.state in loadState; tables -> table.buckets -> [] -> bucket.data
// CHECK-NEXT: service {{.*}}writes service.output in loadState
// CHECK: made-at-each-start {{.*}}struct host, found through tables
// CHECK: made-at-each-start {{.*}}struct service, found through tables
