// The load runs an interpreter, which was handed two functions before: one adds
// an item, the other carries out any request that it is given, by a table of
// forty commands. The first is called by the load; that the second may be, too,
// is told, and what only requests make is not persistent for it.
//
// RUN: %nvmove_act --load load --analyze-only --force --out %t %s > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK: 1 persistent type
// CHECK-NEXT: {{^}}  item {{.*}}allocates struct item in add
// CHECK: [[@LINE+41]]:12 callback-serves-requests not followed: the library that is called at {{.*}}:[[@LINE+49]] may call call during the load, which executes requests of any kind (in call)
// CHECK-NOT: callback-serves-requests
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct interpreter;
struct interpreter *make_interpreter(void);
void define(struct interpreter *in, const char *name, int (*f)(struct interpreter *));
const char *argument(struct interpreter *in);
int run(struct interpreter *in, const char *code);
struct item { char name[16]; struct item *next; };
struct user { char name[16]; struct user *next; };
static struct item *items;
static struct user *users;
static struct interpreter *in;
static void add(const char *name) {
  struct item *i = calloc(1, sizeof *i);
  strncpy(i->name, name, 15);
  i->next = items;
  items = i;
}
static void add_user(const char *name) {
  struct user *u = calloc(1, sizeof *u);
  strncpy(u->name, name, 15);
  u->next = users;
  users = u;
}
struct command { const char *name; void (*run)(const char *); };
#define COMMAND(n) static void command##n(const char *text) { add_user(text); }
#define FIVE(m, t) m(t##0) m(t##1) m(t##2) m(t##3) m(t##4)
#define FORTY(m) FIVE(m, 1) FIVE(m, 2) FIVE(m, 3) FIVE(m, 4) FIVE(m, 5) FIVE(m, 6) FIVE(m, 7) FIVE(m, 8)
#define ENTRY(n) {"c" #n, command##n},
FORTY(COMMAND)
static struct command commands[] = {FORTY(ENTRY)};
static void request(const char *line) {
  for (int i = 0; i < 40; i++)
    if (!strncmp(line, commands[i].name, 3))
      commands[i].run(line + 4);
}
static int call(struct interpreter *in) {
  request(argument(in));
  return 0;
}
static int item(struct interpreter *in) {
  add(argument(in));
  return 0;
}
void load(const char *code) { run(in, code); }
int main(int argc, char **argv) {
  char line[80];
  struct pollfd p = {0, POLLIN, 0};
  in = make_interpreter();
  define(in, "item", item);
  define(in, "call", call);
  load(argv[1]);
  while (poll(&p, 1, -1) > 0)
    if (fgets(line, sizeof line, stdin)) request(line);
  return items != NULL;
}
