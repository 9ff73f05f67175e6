// The load appends to lists through pointers to where the next pointer goes,
// which start-up made lead to the lists' heads: TAILQ_INIT(), tail = &first, an
// initialiser, list_init(&app->items). The heads are roots as well as the tails.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load --out out p.c > log
// RUN: FileCheck %s --input-file log
// RUN: sh %S/../../rewrite/Inputs/apply out/patches %runtime_include p.c
// RUN: gcc -I %runtime_include p.c %runtime_lib -o p
// RUN: sh run ./p %nvm_pool > out.txt
// RUN: FileCheck %s --input-file out.txt --check-prefix=OUT
// RUN: %nvmove --load load --out other other.c | FileCheck %s --check-prefix=OTHER
// RUN: %nvmove --load load --out main other.c -- -DIN_MAIN | FileCheck %s --check-prefix=OTHER
// CHECK: 7 roots
// CHECK-NEXT: all.first
// CHECK-NEXT: all.last
// CHECK-NEXT: app
// CHECK-NEXT: first
// CHECK-NEXT: given.first
// CHECK-NEXT: given.last
// CHECK-NEXT: tail
// A stream of libc's is dead at the next start: its field is null, and told.
// CHECK: comes-back-whole{{ +}}app
// CHECK: pointer-to-volatile{{ +}}app.log may point to stderr, of a library: a restart makes it null
// The head of another list of that type is none.
// OTHER: 2 roots
// OTHER-NEXT: kept.first
// OTHER-NEXT: kept.last
// OUT: a1 a2 b1 b2 c1 d1
// OUT-NEXT: killed 137
// OUT-NEXT: a1 a2 a3 b1 b2 c1 c2 d1 d2
// OUT-NEXT: sound
//--- run
rm -f pool
export NVM_POOL=pool NVM_SIZE=64M
printf 'a1\nb1\na2\nc1\nd1\nb2\n' > state
printf '?\nd2\nc2\na3\nk\n' | $1
echo "killed $?"
printf '?\n' | $1
$2 check pool | sed 's/:.*//'
//--- p.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { struct item *next; char name[12]; };
struct list { struct item *first, **last; };
struct app { FILE *log; struct list items; int verbose; };
static struct list all, given = {NULL, &given.first};
static struct item *first, **tail;
static struct app *app;
static void list_init(struct list *l) { l->first = NULL; l->last = &l->first; }
static void init(void) {
  (&all)->last = &(&all)->first;
  tail = &first;
  app = calloc(1, sizeof *app);
  app->log = stderr;
  list_init(&app->items);
}
static struct item *made(const char *name) {
  struct item *i = calloc(1, sizeof *i);
  memcpy(i->name, name, 3);
  return i;
}
static void append(struct list *l, const char *name) {
  struct item *i = made(name);
  *l->last = i;
  l->last = &i->next;
}
static void add(const char *name) {
  switch (*name) {
  case 'a': {
    struct item *i = made(name);
    *all.last = i;
    all.last = &i->next;
    break;
  }
  case 'b':
    *tail = made(name);
    tail = &(*tail)->next;
    break;
  case 'c': append(&given, name); break;
  case 'd': append(&app->items, name); break;
  }
}
static void load(const char *path) {
  char name[12];
  FILE *f = fopen(path, "r");
  if (!f)
    return;
  while (fscanf(f, "%11s", name) == 1)
    add(name);
  fclose(f);
}
static void show(const struct item *i) { for (; i; i = i->next) printf("%s ", i->name); }
static void command(char *line) {
  line[2] = 0;
  if (*line == 'k') {
    fflush(stdout);
    raise(SIGKILL);
  } else if (*line == '?') {
    show(all.first), show(first), show(given.first), show(app->items.first);
    puts("");
  } else {
    add(line);
  }
}
int main(void) {
  char line[100];
  init();
  load("state");
  while (fgets(line, sizeof line, stdin))
    command(line);
  return 0;
}
//--- other.c
#include <stdio.h>
#include <stdlib.h>
struct item { struct item *next; int n; };
struct list { struct item *first, **last; };
static struct list kept, seen;
static void init(void) {
  kept.last = &kept.first;
  seen.last = &seen.first;
}
static void load(const char *path) {
  int n;
  FILE *f = fopen(path, "r");
  while (f && fscanf(f, "%d", &n) == 1) {
    struct item *i = calloc(1, sizeof *i);
    i->n = n;
    *kept.last = i;
    kept.last = &i->next;
  }
}
static void command(const char *line) {
  struct item *i = calloc(1, sizeof *i);
  i->n = atoi(line);
  *seen.last = i;
  seen.last = &i->next;
  printf("%d\n", kept.first ? kept.first->n : 0);
}
int main(void) {
  char line[100];
  init();
  load("state");
  while (fgets(line, sizeof line, stdin)) {
#ifdef IN_MAIN
    struct item *i = calloc(1, sizeof *i);
    *seen.last = i;
    seen.last = &i->next;
#endif
    command(line);
  }
  return 0;
}
