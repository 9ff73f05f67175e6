// What lies in a library's own memory is not null: the name in a directory's
// entry. And what an event library is handed runs when the main loop waits,
// not while the state is loaded.
//
// RUN: %nvmove --load load --print types %s -- -std=gnu99 | FileCheck %s --match-full-lines
// CHECK-DAG: item
// CHECK-DAG: owner
// CHECK-NOT: {{.}}
#include <dirent.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>

struct event_base;
struct event;
struct event_base *event_base_new(void);
int event_base_dispatch(struct event_base *base);
struct event *event_new(struct event_base *base, int fd, short what,
                        void (*handle)(int, short, void *), void *arg);
int event_add(struct event *e, const struct timeval *timeout);

struct item {
  long id;
  struct event *due;
  struct item *next;
};
struct owner {
  struct passwd who;
  struct owner *next;
};
struct reminder { // made later, when an item is due
  struct item *of;
  struct reminder *next;
};
static struct event_base *base;
static struct item *items;
static struct owner *owners;
static struct reminder *reminders;

static void on_due(int fd, short what, void *arg) {
  struct reminder *r = malloc(sizeof *r);
  r->of = arg;
  r->next = reminders;
  reminders = r;
}

static void add(const char *name) {
  struct item *it = malloc(sizeof *it);
  it->id = atol(name);
  it->next = items;
  items = it;
  it->due = event_new(base, -1, 0, on_due, it);
  event_add(it->due, NULL);
}

static const char *next_name(void *dir) {
  const char *name = NULL;
  struct dirent *e = readdir((DIR *)dir);
  if (e != NULL)
    name = e->d_name;
  return name;
}

static void add_owner(void) {
  struct owner *o = malloc(sizeof *o);
  o->next = owners;
  owners = o;
}

void load(const char *path) {
  const char *name;
  void *dir = opendir(path);
  while (dir && (name = next_name(dir)) != NULL)
    add(name);
  struct passwd who = *getpwuid(0);
  if (who.pw_dir)
    add_owner();
}

int main(int argc, char **argv) {
  base = event_base_new();
  load(argv[1]);
  return event_base_dispatch(base);
}
