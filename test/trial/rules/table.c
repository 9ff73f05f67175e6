// A record that each start makes, with a table that the load fills, and its number.
//
// rules: findStartupRecords
// state: 3 4 5
// input: 20, 36, 7
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct cell { struct cell *next; int v; };
struct table { struct cell **chains; int size; };
struct jar { struct table *table; int count; char name[16]; };
static struct jar *jar;
static struct table *table_new(int n) {
  struct table *t = malloc(sizeof *t);
  t->chains = calloc(n, sizeof *t->chains);
  t->size = n;
  return t;
}
static struct jar *jar_new(void) {
  struct jar *j = calloc(1, sizeof *j);
  j->table = table_new(16);
  strcpy(j->name, "jar");
  return j;
}
static void put(struct jar *j, int v) {
  struct cell *c = malloc(sizeof *c);
  struct table *t = j->table;
  c->v = v;
  c->next = t->chains[v % t->size];
  t->chains[v % t->size] = c;
  j->count++;
}
static void load(void) {
  FILE *f = fopen("state", "r");
  int v;
  if (!f)
    return;
  while (fscanf(f, "%d", &v) == 1)
    put(jar, v);
  fclose(f);
}
static void command(int v) {
  put(jar, v);
  printf("%s %d:", jar->name, jar->count);
  for (int i = 0; i < jar->table->size; i++)
    for (struct cell *c = jar->table->chains[i]; c; c = c->next)
      printf(" %d", c->v);
  putchar('\n');
}
int main(void) {
  char line[64];
  jar = jar_new();
  load();
  while (fgets(line, sizeof line, stdin)) {
    command(atoi(line));
    fflush(stdout);
  }
  return 0;
}
