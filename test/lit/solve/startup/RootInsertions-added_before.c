// Start-up puts blocks into what the load fills, too, by functions that the load
// runs as well and by helpers that know no more than an address: what came back
// takes their place, or, after the load, they are added once more. Not told is
// what each start makes to be filled, what only the load or a handler adds, and
// what goes into a static that is no root. So it is where main never returns.
//
// RUN: cd %S && %nvmove --notes --load load --analyze-only --force --out %t.out RootInsertions-added_before.c > %t.log
// RUN: FileCheck %s --input-file %t.log --implicit-check-not=before-load --implicit-check-not=behind-load
// RUN: %nvmove --notes --load load --analyze-only --force --out %t.out RootInsertions-added_before.c -- -DFOREVER > %t.log
// RUN: FileCheck %s --input-file %t.log --implicit-check-not=before-load --implicit-check-not=behind-load
// CHECK: before-load {{.*}}config() runs at each start before the load, and may add to the root hashed[].first (RootInsertions-added_before.c:[[#]]): the restored state replaces it
// CHECK: before-load {{.*}}config() runs at each start before the load, and may add to the root table (RootInsertions-added_before.c:[[#]]): the restored state replaces it, with what earlier starts added, in which class may be null (in main)
// CHECK: before-load {{.*}}config() runs at each start before the load, and may add to the root tail (RootInsertions-added_before.c:[[#]]): the restored state replaces it
// CHECK: behind-load {{.*}}built_in() runs at each start, on restored state, and adds to the root behind (RootInsertions-added_before.c:[[#]])
#include <stdio.h>
#include <stdlib.h>
struct class { char name[8]; int max; };
struct rule { struct rule *next; struct class *class; int v; };
struct node { struct node *next; };
struct list { struct node *first; int n; };
struct entry { int v; struct node node; struct class *class; };
struct queue { struct rule *rules; };
static struct rule *table[16], *loaded[4], *handled[4], *behind[4], *tail;
static struct list hashed[8], others[8];
static struct queue *queue;
static struct class *classes;
static struct rule *make(int v, struct class *c) {
  struct rule *r = calloc(1, sizeof *r);
  r->v = v;
  r->class = c;
  return r;
}
static void add(int v, struct class *c) {
  struct rule *r = make(v, c);
  r->next = table[v & 15];
  table[v & 15] = r;
}
static void append(int v) {
  struct rule *r = make(v, NULL), *at = tail;
  if (!at) {
    tail = r;
    return;
  }
  while (at->next)
    at = at->next;
  at->next = r;
}
static void push(struct rule **at, int v) {
  struct rule *r = make(v, NULL);
  r->next = *at;
  *at = r;
}
static void list_add(struct node *n, struct list *l) {
  n->next = l->first;
  l->first = n;
  l->n++;
}
static void enter(int v, struct list *l, struct class *c) {
  struct entry *e = calloc(1, sizeof *e);
  e->v = v;
  e->class = c;
  list_add(&e->node, l);
}
static void deep(int v) {
  add(v, classes);
  enter(v, &hashed[v & 7], classes);
  append(v);
  struct entry *e = calloc(1, sizeof *e);
  list_add(&e->node, &others[0]);
}
static void deep3(int v) { deep(v); }
static void deep2(int v) { deep3(v); }
static void deep1(int v) { deep2(v); }
static void config(void) {
  classes = calloc(1, sizeof *classes);
  deep1(1);
}
static void begin(void) {
  queue = calloc(1, sizeof *queue);
  for (int i = 0; i < 4; i++)
    loaded[i] = NULL;
}
static void built_in(void) { push(&behind[0], 1); }
static void load(const char *name) {
  char b[32];
  FILE *f = fopen(name, "r");
  if (!f)
    return;
  while (fgets(b, 32, f)) {
    int v = atoi(b);
    add(v, NULL);
    append(v);
    enter(v, &hashed[v & 7], NULL);
    push(&loaded[v & 3], v);
    push(&handled[v & 3], v);
    push(&behind[v & 3], v);
    struct rule *r = make(v, NULL);
    r->next = queue->rules;
    queue->rules = r;
  }
  fclose(f);
}
static void use(int v) {
  push(&handled[0], v);
  for (struct rule *r = table[v & 15]; r; r = r->next)
    if (r->class)
      printf("max %d\n", r->class->max);
}
int main(int argc, char **argv) {
  char b[32];
  if (argc > 1)
    return 0;
  begin();
  config();
  load("state");
  built_in();
#ifdef FOREVER
  for (;;) {
    if (!fgets(b, 32, stdin))
      exit(0);
    use(atoi(b));
  }
#else
  while (fgets(b, 32, stdin))
    use(atoi(b));
#endif
}
