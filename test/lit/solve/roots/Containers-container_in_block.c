// A record that each start makes, and of which the load fills a field, is
// cut from an arena, or is a member of something larger: only that field is
// kept, by value. What lies behind it is each start's own. Where the record may
// be freed, or one of several, it is said.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove_act --load load program.c > out
// RUN: FileCheck %s --input-file out
// CHECK-DAG: container-in-block {{.*}}lent->list is not kept: struct set is in {{.*}}, which is freed
// CHECK-DAG: container-in-block {{.*}}row[].list is not kept: struct set is in what take() cuts from larger blocks, and how many there are is not known
// CHECK-NOT: container-in-block
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c --check-prefix=TEXT
// TEXT-NOT: NVM_ROOT_ARRAY
// TEXT-DAG: NVM_ROOT_POINTERS_BEHIND(groups, struct set, list);
// TEXT-DAG: NVM_ROOT_POINTERS_BEHIND(users, struct set, list);
// RUN: gcc -I %runtime_include program.c %runtime_lib -o app
// RUN: printf ab > state
// RUN: printf cx | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app 111
// RUN: env NVM_POOL=%t/pool ./app 222 < /dev/null > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG:      users cba
// LOG-NEXT: groups cba
// LOG-NEXT: options 222 222
// RUN: env NVM_POOL=%t/pool ./app 333 < /dev/null > log
// RUN: FileCheck %s --input-file log --check-prefix=AGAIN
// AGAIN:      users cba
// AGAIN-NEXT: groups cba
// AGAIN-NEXT: options 333 333

//--- program.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct arena {
  char *next, *end;
};
struct item {
  struct item *next;
  int n;
};
struct set {
  struct item *list;
  void *tag;
};
struct option {
  long value, other;
};
struct app {
  int count;
  struct set groups;
  long option;
};
struct loan {
  int days;
  struct set set;
};
static struct arena *arena;
static struct set *users, *groups, *lent, *row;
static struct option *options;
static struct app *app;
static struct loan *loan;

static void *take(size_t n) {
  char *p;
  n = (n + 15) & ~15UL;
  if (!arena || arena->next + n > arena->end) {
    arena = malloc(sizeof *arena + 4096);
    if (!arena)
      abort();
    arena->next = (char *)(arena + 1);
    arena->end = arena->next + 4096;
  }
  p = arena->next;
  arena->next += n;
  return memset(p, 0, n);
}
static void add(struct set *s, int n) {
  struct item *i = take(sizeof *i);
  i->n = n;
  i->next = s->list->next;
  s->list->next = i;
}
static struct set *make(void) {
  struct set *s = take(sizeof *s);
  s->list = take(sizeof *s->list);
  return s;
}
static void start(long value) {
  app = calloc(1, sizeof *app);
  loan = calloc(1, sizeof *loan);
  if (!app || !loan)
    abort();
  app->option = value;
  groups = &app->groups;
  groups->list = take(sizeof *groups->list);
  lent = &loan->set;
  lent->list = take(sizeof *lent->list);
  users = make();
  row = take(4 * sizeof *row);
  for (int i = 0; i < 4; i++)
    row[i].list = take(sizeof(struct item));
  options = take(sizeof *options);
  options->value = value;
}
static void add_all(int n) {
  add(users, n);
  add(groups, n);
}
static void load(void) {
  int c;
  FILE *f = fopen("state", "rb");
  if (!f)
    return;
  while ((c = fgetc(f)) != EOF) {
    add_all(c);
    add(lent, c);
    add(&row[c & 3], c);
  }
  fclose(f);
}
static void command(int c) {
  if (c == 'x')
    kill(getpid(), SIGKILL);
  add_all(c);
}
static void show(const char *name, const struct set *s) {
  const struct item *i;
  printf("%s ", name);
  for (i = s->list->next; i; i = i->next)
    putchar(i->n);
  putchar('\n');
}
int main(int argc, char **argv) {
  int c;
  start(argc > 1 ? atol(argv[1]) : 0);
  load();
  while ((c = getchar()) != EOF)
    command(c);
  show("users", users);
  show("groups", groups);
  printf("options %ld %ld\n", options->value, app->option);
  free(loan);
  return 0;
}
