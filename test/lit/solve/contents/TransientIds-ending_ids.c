// A number that a record which each start makes has counted, and that is handed
// back to what looks it up, ends with the process: a restart makes it -1, if
// that is what the program itself puts there for none, else it is told. Not told
// are numbers whose counter comes back, what the file gives, and what is looked
// up nowhere.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove_act --notes --load load app.c > out
// RUN: FileCheck %s --input-file out
// CHECK-NOT:  holds-id
// CHECK:      holds-id {{.*}}order.timer holds a number that loop.next_id counts, which starts again from its initial value at each start: a restart makes it -1, unless it is 0
// CHECK: holds-id {{.*}}order.watch holds a number that watched counts, which starts again from its initial value at each start: after a restart it is the id of nothing, or of something else
// CHECK-NOT:  holds-id
//
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'a\na\nx\n' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: printf 'a\nd4\np\n' | env NVM_POOL=%t/pool ./app >> log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG:      5 timer 1
// LOG-NEXT: 4 timer -1
// LOG-NEXT: 3 timer -1
// LOG-NEXT: 2 timer -1
// LOG-NEXT: 1 timers

//--- data
2
//--- app.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct order { int nr, key, timer, watch, serial; struct order *next; };
struct timer { int id; struct order *order; struct timer *next; };
struct loop { int next_id, next_serial, count; struct timer *timers; };
struct watcher { int id; struct watcher *next; };

static struct order *orders;
static int next_nr, next_key;
static struct loop *loop;
static struct watcher *watchers;
static int watched;

static int timer_add(struct loop *l, struct order *o) {
  struct timer *t = malloc(sizeof *t);
  t->id = ++l->next_id;
  t->order = o;
  t->next = l->timers;
  l->timers = t;
  l->count++;
  return t->id;
}
static void timer_remove(struct loop *l, int id) {
  for (struct timer **p = &l->timers; *p; p = &(*p)->next)
    if ((*p)->id == id) {
      struct timer *t = *p;
      *p = t->next;
      free(t);
      l->count--;
      return;
    }
}
static int watch(void) {
  struct watcher *w = malloc(sizeof *w);
  w->id = ++watched;
  w->next = watchers;
  watchers = w;
  return w->id;
}
static void unwatch(int id) {
  for (struct watcher *w = watchers; w; w = w->next)
    if (w->id == id)
      w->id = 0;
}
static struct order *find(int nr) {
  struct order *o = orders;
  while (o && o->nr != nr)
    o = o->next;
  return o;
}
static struct order *add(int nr, int key) {
  struct order *o = calloc(1, sizeof *o);
  o->nr = nr;
  o->key = key;
  o->timer = -1;
  o->watch = 0;
  o->next = orders;
  orders = o;
  if (nr >= next_nr)
    next_nr = nr + 1;
  return o;
}
static void load(const char *name) {
  FILE *f = fopen(name, "r");
  int nr;
  if (!f)
    return;
  while (fscanf(f, "%d", &nr) == 1)
    add(nr, next_key++);
  fclose(f);
}
static void command(char c, int nr) {
  struct order *o;
  if (c == 'a') {
    o = add(next_nr, next_key++);
    o->timer = timer_add(loop, o);
    o->watch = watch();
    o->serial = loop->next_serial++;
  }
  if (c == 'd' && (o = find(nr)) != NULL) {
    if (o->timer >= 0)
      timer_remove(loop, o->timer);
    if (o->watch)
      unwatch(o->watch);
    o->timer = -1;
    o->watch = 0;
    printf("%d %d\n", o->serial, find(o->nr)->key);
  }
  if (c == 'p') {
    for (o = orders; o; o = o->next)
      printf("%d timer %d\n", o->nr, o->timer);
    printf("%d timers\n", loop->count);
  }
  if (c == 'x')
    raise(SIGKILL);
}
int main(void) {
  char line[80];
  loop = calloc(1, sizeof *loop);
  load("data");
  while (fgets(line, sizeof line, stdin))
    command(line[0], atoi(line + 1));
  return 0;
}
