// A table says which members a record has and of which kind they are; the load
// fills what it makes, and what was there before, by offsets alone. What links
// itself when it is made is no allocator, though it returns void *. Text that
// is read raw into a list of void * makes no record of what other lists hold.
//
// RUN: cd %S && %nvmove --load load --print types RecordsByUse-described.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// CHECK-DAG: host
// CHECK-DAG: user
// CHECK-DAG: route
// CHECK-DAG: kind
// CHECK-DAG: node
// CHECK-DAG: group

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct member { const char *name; int type; size_t offset; };
struct host { struct host *next; char *name; int state; };
struct user { struct user *next; char *name; long uid; };
struct route { char *name; int metric; };
struct group { struct group *next; char *name; };
struct node { void *data; struct node *next; };
struct client { int socket; };

#define MEMBER(r, m, type) {#m, type, offsetof(struct r, m)}
static const struct member host_members[] = {MEMBER(host, name, 0), MEMBER(host, state, 1), {0}};
static const struct member user_members[] = {MEMBER(user, name, 0), MEMBER(user, uid, 2), {0}};
static const struct member route_members[] = {MEMBER(route, metric, 1), {0}};

static struct kind {
  const char *name;
  size_t size_bytes;
  const struct member *members;
  void *list;
} kinds[] = {{"host", sizeof(struct host), host_members}, {"user", sizeof(struct user), user_members}};
static struct route *routes[8];
static int route_count;
static struct group *groups;
static struct node *lines, *clients;

static void put(void *object, const struct member *m, const char *name, const char *value) {
  for (; m->name; m++)
    if (!strcmp(m->name, name)) {
      char *at = (char *)object + m->offset;
      switch (m->type) {
      case 0: *(char **)at = strdup(value); break;
      case 1: *(int *)at = atoi(value); break;
      case 2: *(long *)at = atol(value); break;
      }
    }
}

static void *new_group(void) {
  struct group *g = calloc(1, sizeof *g);
  g->next = groups;
  return groups = g;
}
static void *(*const make_group)(void) = new_group;

static void add(struct node **list, void *data) {
  struct node *n = malloc(sizeof *n);
  n->data = data;
  n->next = *list;
  *list = n;
}

int load(void) {
  char word[64], value[64], *line;
  struct kind *k = NULL;
  void *object = NULL;
  FILE *f = fopen("db", "r");
  if (!f)
    return -1;
  while (fscanf(f, "%63s %63s", word, value) == 2) {
    if (!strcmp(word, "new")) {
      for (k = kinds; strcmp(k->name, value); k++)
        ;
      object = calloc(1, k->size_bytes);
      *(void **)object = k->list;
      k->list = object;
    } else if (!strcmp(word, "group")) {
      struct group *g = make_group();
      g->name = strdup(value);
    } else if (!strcmp(word, "text")) {
      line = malloc(80);
      if (fread(line, 1, 80, f) == 80)
        add(&lines, line);
    } else if (object) {
      put(object, k->members, word, value);
    }
    for (int i = 0; i < route_count; i++)
      if (!strcmp(routes[i]->name, word))
        put(routes[i], route_members, "metric", value);
  }
  fclose(f);
  return 0;
}

int main(int argc, char **argv) {
  char line[64];
  for (int i = 1; i < argc && i < 8; i++) {
    routes[route_count] = calloc(1, sizeof(struct route));
    routes[route_count++]->name = strdup(argv[i]);
  }
  load();
  while (fgets(line, sizeof line, stdin)) {
    struct client *c = malloc(sizeof *c);
    c->socket = atoi(line);
    add(&clients, c);
    for (struct node *n = clients; n; n = n->next)
      printf("%d\n", ((struct client *)n->data)->socket);
    for (struct host *h = kinds[0].list; h; h = h->next)
      printf("%s %d\n", h->name, h->state);
    for (struct user *u = kinds[1].list; u; u = u->next)
      printf("%s %ld\n", u->name, u->uid);
    for (struct group *g = groups; g; g = g->next)
      puts(g->name);
    for (int i = 0; i < route_count; i++)
      printf("%d\n", routes[i]->metric);
  }
  return 0;
}
