// The logger may sleep a little, and both the main loop and the load log.
//
// RUN: cd %S && %nvmove --load load --print types EventLoop-sleep_in_logger.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// CHECK: lease

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
struct lease { int addr; struct lease *next; };
static struct lease *leases;
static int queued;
void say(const char *text) {
  struct timespec t = {0, 1000000};
  puts(text);
  if (++queued > 8) nanosleep(&t, NULL);
}
static int do_poll(void) {
  struct pollfd p = {0, POLLIN, 0};
  return poll(&p, 1, -1);
}
static int wait_input(void) { return do_poll(); }
static int read_leases(FILE *f) {
  int a;
  while (fscanf(f, "%d", &a) == 1) {
    struct lease *l = malloc(sizeof *l);
    if (a < 0) say("odd address");
    l->addr = a;
    l->next = leases;
    leases = l;
  }
  return 1;
}
void load(FILE *f) {
  if (!read_leases(f)) say("failed to parse");
}
static void handle(void) {
  if (leases) leases->addr++;
}
int main(void) {
  load(stdin);
  for (;;) {
    if (wait_input() < 0) { say("poll failed"); continue; }
    handle();
  }
}
