// What a helper counts in a header that each start makes is restored with what
// it has put there.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load program.c > out
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: gcc -I %runtime_include program.c %runtime_lib -o app
// RUN: printf "1 2" > state
// RUN: printf 3x | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: env NVM_POOL=%t/pool ./app < /dev/null > log
// RUN: FileCheck %s --input-file log
// CHECK: 1 2 3 | 3 2 1 | 3 3

//--- program.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct item {
  struct item *next;
  int id;
};
struct list {
  void **items;
  int count, room;
};
struct queue {
  struct item *first;
  int length;
};
struct state {
  struct queue *queue;
};
static struct list *list;
static struct state *state;

static void add(struct list *l, void *p) {
  if (l->count < l->room)
    l->items[l->count++] = p;
}
static void push(struct queue *q, struct item *i) {
  i->next = q->first;
  q->first = i;
  q->length++;
}
static void setup(void) {
  list = malloc(sizeof *list);
  list->items = calloc(16, sizeof *list->items);
  list->room = 16;
  list->count = 0;
  state = malloc(sizeof *state);
  state->queue = calloc(1, sizeof *state->queue);
}
static void make(int id) {
  struct item *i = malloc(sizeof *i);
  i->id = id;
  add(list, i);
  push(state->queue, i);
}
static void load(void) {
  int id;
  FILE *f = fopen("state", "r");
  if (!f)
    return;
  while (fscanf(f, "%d", &id) == 1)
    make(id);
  fclose(f);
}
static void command(int c) {
  if (c == 'x')
    kill(getpid(), SIGKILL);
  make(c - '0');
}
int main(void) {
  int c;
  setup();
  load();
  while ((c = getchar()) != EOF)
    command(c);
  for (c = 0; c < list->count; c++)
    printf("%d ", ((struct item *)list->items[c])->id);
  printf("| ");
  for (struct item *i = state->queue->first; i; i = i->next)
    printf("%d ", i->id);
  printf("| %d %d\n", list->count, state->queue->length);
  return 0;
}
