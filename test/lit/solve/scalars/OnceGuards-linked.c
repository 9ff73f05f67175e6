// A free list of static records is made behind a flag that nothing else looks
// at: by itself, and by a helper that is handed the head. Records and heads
// come back, and so does the flag: else the next use links what is taken once
// more, and no walk ends.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.c && printf 'a b ' > data
// RUN: %nvmove --load load app.c | FileCheck %s --implicit-check-not=set-by-load
// RUN: cp %s plain.c && gcc plain.c -o plain && sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'ac\nra\nad\n?\nae\nrc\n?\n' | ./plain > want
// RUN: printf 'ac\nra\nad\n?\nx\n' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: printf 'ae\nrc\n?\n' | env NVM_POOL=%t/pool timeout 20 ./app >> log
// RUN: diff want log
//
// CHECK: restored scalars
// CHECK: made {{ *}}is set once, together with restored data, at app.c
// CHECK: nodes.made {{ *}}is set once, together with restored data, at app.c

#include <signal.h>
#include <stdio.h>
#include <string.h>

struct slot { struct slot *next; char name[8]; };
static struct slot slots[6], *unused, *busy;
static int made;
static void make(void) {
  if (made)
    return;
  made = 1;
  for (int i = 0; i < 6; i++) {
    slots[i].next = unused;
    unused = &slots[i];
  }
}

struct node { struct node *next; char name; };
static struct node room[6];
static struct { struct node *unused, *used; int made; } nodes;
static void put(struct node **head, struct node *n) {
  n->next = *head;
  *head = n;
}
static struct node *take(struct node **head) {
  struct node *n = *head;
  if (n)
    *head = n->next;
  return n;
}
static void make_nodes(void) {
  if (!nodes.made) {
    for (int i = 0; i < 6; i++)
      put(&nodes.unused, &room[i]);
    nodes.made = 1;
  }
}

static void add(const char *name) {
  make();
  make_nodes();
  struct slot *s = unused;
  struct node *n = take(&nodes.unused);
  if (!s || !n)
    return;
  unused = s->next;
  strcpy(s->name, name);
  s->next = busy;
  busy = s;
  n->name = name[0];
  put(&nodes.used, n);
}
static void drop(const char *name) {
  for (struct slot **p = &busy; *p; p = &(*p)->next)
    if (!strcmp((*p)->name, name)) {
      struct slot *s = *p;
      *p = s->next;
      s->next = unused;
      unused = s;
      break;
    }
  if (nodes.used)
    put(&nodes.unused, take(&nodes.used));
}
static void load(FILE *f) {
  char name[8];
  while (fscanf(f, "%7s", name) == 1)
    add(name);
}
static void handle(const char *line) {
  int n = 0;
  make();
  make_nodes();
  if (line[0] == 'a') {
    add(line + 1);
  } else if (line[0] == 'r') {
    drop(line + 1);
  } else {
    for (struct slot *s = busy; s; s = s->next)
      printf("%s ", s->name);
    for (struct node *o = nodes.used; o; o = o->next)
      putchar(o->name);
    for (struct slot *s = unused; s; s = s->next)
      n++;
    for (struct node *o = nodes.unused; o; o = o->next)
      n++;
    printf(" %d\n", n);
    fflush(stdout);
  }
}
int main(void) {
  char line[64];
  FILE *f = fopen("data", "r");
  if (f) {
    load(f);
    fclose(f);
  }
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (line[0] == 'x')
      raise(SIGKILL);
    handle(line);
  }
  return 0;
}
