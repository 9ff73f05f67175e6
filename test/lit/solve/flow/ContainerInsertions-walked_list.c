// Lists of one kind, in static records. The load puts items into the list that
// an item names, and what hangs there is met as one with what hangs in all of
// them. One that it only walks is no root, and is this start's; it is one where
// the load marks what is in there, or adds to it, or where a pointer leads to it
// besides. Of which list a log is that is written to is not told apart: its
// stream is to be set again.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove_act --load load --out out t.c > log
// RUN: FileCheck %s --input-file log --implicit-check-not=head-not-kept
// RUN: sh %S/../../rewrite/Inputs/apply out/patches %runtime_include t.c
// RUN: gcc -I %runtime_include t.c %runtime_lib -o t
// RUN: printf '#a b' > state
// RUN: printf '#c k' | not --crash env NVM_POOL=%t/pool NVM_SIZE=64M ./t one
// RUN: printf 'd' | env NVM_POOL=%t/pool ./t two | FileCheck %s --check-prefix=OUT
// CHECK: roots
// CHECK-NEXT: {{^}}  added.head
// CHECK-NEXT: {{^}}  chans.head
// CHECK-NEXT: {{^}}  held.head
// CHECK-NEXT: {{^}}  marked.head
// CHECK-NEXT: {{^}}  nicks.head
// CHECK-EMPTY:
// CHECK: head-not-kept {{.*}}logs.head is not kept: the load only reads what each start has stored there
// OUT: two: d
// OUT: chans #c #a nicks d b
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { void *data; struct node *prev, *next; };
struct list { struct node *head; };
struct log { struct node node; const char *name; FILE *to; int seen; };
struct item { struct node node; struct list *list; char text[32]; };
static struct list logs, marked, added, held, chans, nicks;
static struct list *shown = &held;
static void list_add(void *data, struct node *n, struct list *l) {
  n->data = data;
  n->prev = NULL;
  n->next = l->head;
  if (l->head)
    l->head->prev = n;
  l->head = n;
}
static void log_add(const char *name, struct list *l) {
  struct log *g = calloc(1, sizeof *g);
  g->name = name;
  g->to = stdout;
  list_add(g, &g->node, l);
}
static void log_write(const char *s) {
  for (struct node *n = logs.head; n; n = n->next) {
    struct log *g = n->data;
    fprintf(g->to, "%s: %s\n", g->name, s);
    fflush(g->to);
  }
}
static void mark(void) {
  for (struct node *n = marked.head; n; n = n->next)
    ((struct log *)n->data)->seen++;
}
static void item_make(const char *s) {
  struct item *i = calloc(1, sizeof *i);
  i->list = *s == '#' ? &chans : &nicks;
  strcpy(i->text, s);
  list_add(i, &i->node, i->list);
}
static void load(const char *name) {
  char b[32];
  FILE *f = fopen(name, "r");
  log_write("load");
  mark();
  log_add("late", &added);
  for (struct node *n = shown->head; n; n = n->next)
    puts(((struct log *)n->data)->name);
  for (struct node *n = held.head; n; n = n->next)
    puts(((struct log *)n->data)->name);
  if (!f)
    return;
  while (fscanf(f, "%31s", b) == 1)
    item_make(b);
  fclose(f);
}
static void show(const char *name, struct list *l) {
  printf("%s ", name);
  for (struct node *n = l->head; n; n = n->next)
    printf("%s ", ((struct item *)n->data)->text);
}
int main(int argc, char **argv) {
  char b[32];
  if (argc != 2)
    return 1;
  log_add(argv[1], &logs);
  load("state");
  while (scanf("%31s", b) == 1) {
    if (*b == 'k')
      raise(SIGKILL);
    item_make(b);
    log_write(b);
  }
  show("chans", &chans);
  show("nicks", &nicks);
  return 0;
}
