// All containers are filled by one insert(), as by functions of a library. The
// load fills those within the object; main's own, which handlers look through,
// is filled behind the load by a function that is not of it. Which container it
// is, the calls say that lead to the insertion. Both named as loads, all is
// kept.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.c && printf 'one two ' > a && printf 'three ' > b
// RUN: %nvmove_act --load load_table app.c | FileCheck %s
// CHECK: registered-outside {{.*}}open_table() has an object loaded, and beside that puts it into all.list.first: {{.*}} (in insert)
// CHECK-NEXT: -> name what puts it there, too: --load load_table,add_table; or name that function as the load: --load open_table
//
// RUN: %nvmove --load load_table,add_table --force app.c | FileCheck %s --check-prefix=BOTH --implicit-check-not=registered-outside
// BOTH: nothing to act on
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc -no-pie app.o %runtime_lib -o app
// RUN: printf 'b\n' | env NVM_POOL=%t/pool NVM_SIZE=32M ./app a b && rm a b
// RUN: printf 'c\n' | env NVM_POOL=%t/pool ./app a b | FileCheck %s --check-prefix=OUT
// OUT: c b three
// OUT-NEXT: c b two one

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { struct node *next; };
struct list { struct node *first; int count; };
struct map { struct list list; };
struct entry { struct node node; void *data; };
struct word { struct node node; char text[20]; };
struct table { char name[20]; struct list words; };
struct server { struct map *tables; };

static void insert(struct list *list, struct node *node) {
  node->next = list->first;
  list->first = node;
  list->count++;
}
static void map_add(struct map *map, void *data) {
  struct entry *e = malloc(sizeof *e);
  e->data = data;
  insert(&map->list, &e->node);
}
static struct list words;
static void push(struct list *to, const char *text) {
  struct word *w = malloc(sizeof *w);
  snprintf(w->text, sizeof w->text, "%s", text);
  insert(to, &w->node);
}
static void load_table(struct table *t) {
  char word[20];
  FILE *f = fopen(t->name, "r");
  while (f && fscanf(f, "%19s", word) == 1)
    push(&t->words, word), push(&words, word);
  if (f)
    fclose(f);
}
static void add_table(struct server *server, struct table *t) {
  map_add(server->tables, t);
}
static void open_table(struct server *server, const char *path) {
  struct table *t = calloc(1, sizeof *t);
  snprintf(t->name, sizeof t->name, "%s", path);
  load_table(t);
  add_table(server, t);
}
static void add_word(struct map *all, const char *text) {
  for (struct node *n = all->list.first; n; n = n->next)
    push(&((struct table *)((struct entry *)n)->data)->words, text);
}
static void print(struct map *all) {
  for (struct node *n = all->list.first; n; n = n->next) {
    struct table *t = ((struct entry *)n)->data;
    for (struct node *w = t->words.first; w; w = w->next)
      printf("%s ", ((struct word *)w)->text);
    puts("");
  }
  fflush(stdout);
}
int main(int argc, char **argv) {
  char line[64];
  struct map all = {{NULL, 0}};
  struct server server;
  server.tables = &all;
  for (int i = 1; i < argc; i++)
    open_table(&server, argv[i]);
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    add_word(&all, line);
    print(&all);
  }
  return 0;
}
