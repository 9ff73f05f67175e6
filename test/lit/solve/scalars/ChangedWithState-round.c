// A main loop takes one line a round: what one call in it changes is of the same
// command as what the next one adds to the state, and asked about. Not so what
// the rounds of another kind change. In a loop that waits for events, calls stand
// beside each other by chance.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.c
// RUN: %nvmove --notes --load load app.c > out
// RUN: FileCheck %s --input-file out
// CHECK-DAG: changed-with-state {{.*}}last is changed by handlers, {{.*}} (in remember)
// CHECK-DAG: changed-with-state {{.*}}length is changed by handlers, {{.*}} (in measure)
// CHECK-DAG: changed-with-state {{.*}}undo is changed by handlers
// CHECK-DAG: set-by-handlers {{.*}}shown is set only by handlers
// RUN: %nvmove --notes --load load --force app.c -- -DEVENTS | FileCheck %s --check-prefix=EVENTS
// EVENTS: set-by-handlers {{.*}}beats is set only by handlers
// EVENTS: nothing to act on, nothing to check
//
// RUN: %nvmove --load load --keep last,length,undo --out kept app.c | FileCheck %s --check-prefix=KEPT
// KEPT: nothing to act on, nothing to check
// RUN: sh %S/../../rewrite/Inputs/apply kept/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'one\ntwo\n' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app
// RUN: printf '?\n' | env NVM_POOL=%t/pool not --crash ./app | FileCheck %s --check-prefix=LOG
// LOG: two one last two length 3 undo two one
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct item {
  struct item *next;
  char text[20];
};
struct undo {
  struct undo *next;
  char *text;
  int n;
};
static struct item *items;
static struct undo *undo;
static char last[20];
static size_t length;
static int shown;

static void add(const char *line) {
  struct item *i = malloc(sizeof *i);
  snprintf(i->text, sizeof i->text, "%s", line);
  i->next = items;
  items = i;
}
static void load(void) {
  char line[80];
  FILE *f = fopen("data", "r");
  while (f && fscanf(f, "%79s", line) == 1)
    add(line);
  if (f)
    fclose(f);
}
static void measure(const char *line) { length = strlen(line); }
static void remember(const char *line) {
  snprintf(last, sizeof last, "%s", line);
  measure(line);
}
static void push(struct undo **to, const char *line) {
  struct undo *u = malloc(sizeof *u);
  u->text = strdup(line);
  u->n = 1;
  u->next = *to;
  *to = u;
}
static void can_undo(const char *line) { push(&undo, line); }
static void show(void) {
  shown++;
  for (struct item *i = items; i; i = i->next)
    printf("%s ", i->text);
  printf("last %s length %zu undo", last, length);
  for (struct undo *u = undo; u; u = u->next)
    printf(" %s", u->text);
  puts("");
  fflush(stdout);
  if (shown > 1000)
    exit(1);
}
#ifdef EVENTS
static int beats;
static void tick(void) {
  if (++beats > 1000)
    exit(1);
}
static void on_input(void) {
  char line[80];
  if (read(0, line, sizeof line) > 0)
    add(line);
}
#endif
int main(void) {
  load();
#ifdef EVENTS
  for (;;) {
    struct pollfd in = {.fd = 0, .events = POLLIN};
    poll(&in, 1, 1000);
    tick();
    on_input();
  }
#else
  char line[80];
  while (scanf("%79s", line) == 1) {
    if (*line == '?') {
      show();
      continue;
    }
    remember(line);
    can_undo(line);
    add(line);
  }
  abort();
#endif
}
