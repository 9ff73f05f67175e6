// The loop reads the input itself. That a handler waits for a signal, or sleeps by
// poll(), makes it none that waits there: what the handler changes is changed by a
// handler.
//
// RUN: %nvmove --notes --load load --out %t --force %s | FileCheck %s
// RUN: %nvmove --notes --load load --out %t --force %s -- -DNAP | FileCheck %s
// CHECK: set-by-handlers{{ +}}waits is set only by handlers
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct item {
  struct item *next;
  int id;
};
static struct item *items;
static int waits;
static void add(int id) {
  struct item *i = malloc(sizeof *i);
  i->id = id;
  i->next = items;
  items = i;
}
static void load(void) {
  int id;
  FILE *in = fopen("items", "r");
  while (in && fscanf(in, "%d", &id) == 1)
    add(id);
  if (in)
    fclose(in);
}
static void wait_for(int id) {
#ifdef NAP
  poll(NULL, 0, 1);
#else
  sigset_t old;
  sigprocmask(SIG_BLOCK, NULL, &old);
  alarm(1);
  sigsuspend(&old);
#endif
  waits += id;
}
static void handle(const char *line) {
  if (*line == '+')
    add(atoi(line));
  else
    wait_for(atoi(line));
}
int main(void) {
  char line[80];
  load();
  while (fgets(line, sizeof line, stdin))
    handle(line);
  printf("%d\n", waits);
}
