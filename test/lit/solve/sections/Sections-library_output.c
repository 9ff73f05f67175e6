// What the handlers of a library's main loop answer leaves behind the commit of
// what they did, also where they call that by a pointer; so does what a function
// answers that such handlers share with the program's own loops.
//
// RUN: rm -rf %t && split-file %s %t && cd %t && echo 1 2 > data
// RUN: %nvmove --load load app.c -- -Iinclude > out
// RUN: FileCheck %s --input-file out
// CHECK:     got_event {{ *}}callback
// CHECK:     1 call replaced: sendmsg -> nvm_sendmsg
// CHECK:     1 call replaced: write -> nvm_write
//
// RUN: env CPATH=include sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: FileCheck %s --input-file app.c --check-prefix=TEXT
// TEXT:     return nvm_sendmsg(fd, message, 0);
// TEXT:     if (nvm_write(fd, "\n", 1) != 1)
// TEXT:     return sendmsg(fd, message, 1);
// TEXT:     if (write(2, "start", 5) != 5

//--- include/event2/event.h
struct event;
struct event *event_new(int fd, void (*call)(int fd, short what, void *user), void *user);
int event_base_dispatch(void *base);

//--- app.c
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

struct item { int id; struct item *next; };
static struct item *all;

static void add(int id) {
  struct item *it = malloc(sizeof *it);
  it->id = id;
  it->next = all;
  all = it;
}
static void load(const char *name) {
  FILE *f = fopen(name, "r");
  int id;
  while (f && fscanf(f, "%d", &id) == 1)
    add(id);
  if (f)
    fclose(f);
}

struct connection { long (*answer)(int fd, struct msghdr *message); };
static long answer(int fd, struct msghdr *message) {
  return sendmsg(fd, message, 0);
}
static void finish(int fd) {
  if (write(fd, "\n", 1) != 1)
    close(fd);
}
static long unused(int fd, struct msghdr *message) {
  return sendmsg(fd, message, 1);
}
static void got_event(int fd, short what, void *user) {
  struct connection *c = user;
  struct msghdr message = {0};
  (void)what;
  add(fd);
  c->answer(fd, &message);
  finish(fd);
}
int main(int argc, char **argv) {
  static struct connection c;
  c.answer = answer;
  if (write(2, "start", 5) != 5 || (argc > 5 && unused(argc, 0)))
    return 1;
  load(argv[1]);
  event_new(1, got_event, &c);
  event_base_dispatch(NULL);
  return 0;
}
