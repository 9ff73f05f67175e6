// A load that runs a loop of its own, to ask a helper process for the file,
// calls what was registered with that loop: also what it registers itself, which
// reads the answer. What the main loop calls it does not. Where the two may be
// one loop, or a callback of one may get into the other, all count as called.
//
// RUN: %nvmove --load load --print types %s -- -std=gnu11 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not=by_{{.*}}
// RUN: %nvmove --load load --print types %s -- -std=gnu11 -DMEMBERS > %t.members
// RUN: FileCheck %s --input-file %t.members --match-full-lines --implicit-check-not=by_{{.*}}
//
// RUN: %nvmove --load load --print types %s -- -std=gnu11 -DSAME > %t.same
// RUN: FileCheck %s --input-file %t.same --match-full-lines --check-prefixes=CHECK,BOTH
// RUN: %nvmove --load load --print types %s -- -std=gnu11 -DADDRESS > %t.address
// RUN: FileCheck %s --input-file %t.address --match-full-lines --check-prefixes=CHECK,BOTH
// RUN: %nvmove --load load --print types %s -- -std=gnu11 -DSHARED > %t.shared
// RUN: FileCheck %s --input-file %t.shared --match-full-lines --check-prefixes=CHECK,BOTH
// RUN: %nvmove --load load --print types %s -- -std=gnu11 -DBYTES > %t.bytes
// RUN: FileCheck %s --input-file %t.bytes --match-full-lines --check-prefixes=CHECK,BOTH
// RUN: %nvmove --load load --print types %s -- -std=gnu11 -DEITHER > %t.either
// RUN: FileCheck %s --input-file %t.either --match-full-lines --check-prefixes=CHECK,BOTH
//
// RUN: %nvmove --load load --print types %s -- -std=gnu11 -DWATCHES > %t.watches
// RUN: FileCheck %s --input-file %t.watches --match-full-lines --check-prefixes=CHECK,EVENT
// RUN: %nvmove --load load --print types %s -- -std=gnu11 -DMOVES > %t.moves
// RUN: FileCheck %s --input-file %t.moves --match-full-lines --check-prefixes=CHECK,EVENT
// RUN: %nvmove --load load --print types %s -- -std=gnu11 -DCOPIES > %t.copies
// RUN: FileCheck %s --input-file %t.copies --match-full-lines --check-prefixes=CHECK,BOTH
// RUN: %nvmove --load load --print types %s -- -std=gnu11 -DESCAPES > %t.escapes
// RUN: FileCheck %s --input-file %t.escapes --match-full-lines --check-prefixes=CHECK,EVENT
// RUN: %nvmove --load load --print types %s -- -std=gnu11 -DSPARE > %t.spare
// RUN: FileCheck %s --input-file %t.spare --match-full-lines --check-prefixes=CHECK,EVENT
// RUN: %nvmove --load load --print types %s -- -std=gnu11 -DLATER > %t.later
// RUN: FileCheck %s --input-file %t.later --match-full-lines --check-prefixes=CHECK,EVENT
// RUN: %nvmove --load load --print types %s -- -std=gnu11 -DLIBRARY > %t.library
// RUN: FileCheck %s --input-file %t.library --match-full-lines --check-prefixes=CHECK,EVENT
// RUN: %nvmove --load load --print types %s -- -std=gnu11 -DPARENT > %t.parent
// RUN: FileCheck %s --input-file %t.parent --match-full-lines --check-prefixes=CHECK,EVENT
//
// EVENT-DAG: by_event
// BOTH-DAG: by_event
// BOTH-DAG: by_signal
// CHECK-DAG: answer
// CHECK-DAG: item

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <unistd.h>

typedef void handler(void *);
struct event {
  TAILQ_ENTRY(event) next;
  int fd;
  handler *fn;
  void *arg;
};
TAILQ_HEAD(events, event);
struct loop {
  struct events events, unused;
  struct loop *parent;
  void (*on_signal)(int, void *);
  void *signal_arg;
  int done;
};

struct item { struct item *next; int n; };
struct answer { struct answer *next; int n; };
struct by_event { struct by_event *next; int n; };
struct by_signal { struct by_signal *next; int n; };

struct app {
#ifdef MEMBERS
  struct loop main_loop, helper_loop;
#else
  struct loop *main_loop, *helper_loop;
#endif
  struct item *items;
  struct answer *answers;
  struct by_event *events;
  struct by_signal *signals;
  int pipe;
};
static struct app app;

#define ADD(type, head, number)                                                \
  do {                                                                         \
    struct type *made = malloc(sizeof *made);                                  \
    made->n = number;                                                          \
    made->next = head;                                                         \
    head = made;                                                               \
  } while (0)

static void loop_init(struct loop *l) {
  TAILQ_INIT(&l->events);
  TAILQ_INIT(&l->unused);
  l->on_signal = NULL;
  l->done = 0;
}
static struct loop *loop_new(void) {
#ifdef SHARED
  static struct loop *one;
  if (one)
    return one;
#endif
  struct loop *l = calloc(1, sizeof *l);
  if (!l)
    return NULL;
  loop_init(l);
#ifdef SHARED
  one = l;
#endif
  return l;
}
static int loop_add_rw(struct loop *l, int fd, handler *fn, void *arg) {
  struct event *e;
  TAILQ_FOREACH(e, &l->events, next)
    if (e->fd == fd)
      break;
  if (!e) {
    e = TAILQ_FIRST(&l->unused);
    if (e) {
      TAILQ_REMOVE(&l->unused, e, next);
    } else {
      e = malloc(sizeof *e);
      if (!e)
        return -1;
    }
    TAILQ_INSERT_TAIL(&l->events, e, next);
  }
  e->fd = fd;
  e->fn = fn;
  e->arg = arg;
  return 0;
}
static int loop_add(struct loop *l, int fd, handler *fn, void *arg) {
  return fn ? loop_add_rw(l, fd, fn, arg) : -1;
}
static void loop_on_signal(struct loop *l, void (*fn)(int, void *), void *arg) {
  l->on_signal = fn;
  l->signal_arg = arg;
}
static void loop_remove(struct loop *l, int fd) {
  struct event *e, *next;
  for (e = TAILQ_FIRST(&l->events); e; e = next) {
    next = TAILQ_NEXT(e, next);
    if (e->fd == fd) {
      TAILQ_REMOVE(&l->events, e, next);
      TAILQ_INSERT_HEAD(&l->unused, e, next);
    }
  }
}
static int loop_run(struct loop *l) {
  struct event *e;
  while (!l->done) {
    TAILQ_FOREACH(e, &l->events, next) {
      struct pollfd p = {e->fd, POLLIN, 0};
      int n = poll(&p, 1, -1);
      if (n > 0)
        e->fn(e->arg);
      else if (n < 0 && l->on_signal)
        l->on_signal(1, l->signal_arg);
    }
#ifdef PARENT // what the parent waits for is served, too
    if (l->parent)
      TAILQ_FOREACH(e, &l->parent->events, next)
        e->fn(e->arg);
#endif
  }
  return 0;
}

#ifdef MOVES
void loop_move(struct loop *to, struct loop *from) {
  struct event *e = TAILQ_FIRST(&from->events);
  TAILQ_REMOVE(&from->events, e, next);
  TAILQ_INSERT_HEAD(&to->events, e, next);
}
#endif
#ifdef COPIES
void loop_copy(struct loop *to, struct loop *from) { *to = *from; }
#endif
#ifdef ESCAPES
struct event **loop_first(struct loop *l) { return &l->events.tqh_first; }
#endif
#ifdef SPARE // one list of unused events for all loops
static struct event *spare;
void loop_add_spare(struct loop *l) {
  struct event *e = spare;
  TAILQ_INSERT_HEAD(&l->events, e, next);
}
void loop_spare(struct loop *l) { spare = TAILQ_FIRST(&l->events); }
#endif
#ifdef LIBRARY // whatever it does with them
void link_events(struct event *, struct event *);
void loop_link(struct loop *a, struct loop *b) {
  link_events(TAILQ_FIRST(&a->events), TAILQ_FIRST(&b->events));
}
#endif
#ifdef LATER // a handler is changed without a word of the loop
void event_change(struct event *e, handler *fn) { e->fn = fn; }
#endif

#ifdef MEMBERS
#define MAIN(a) (&(a)->main_loop)
#define HELPER(a) (&(a)->helper_loop)
#else
#define MAIN(a) ((a)->main_loop)
#define HELPER(a) ((a)->helper_loop)
#endif

static void on_event(void *arg) {
  struct app *a = arg;
  ADD(by_event, a->events, 1);
}
static void on_signal(int number, void *arg) {
  struct app *a = arg;
  ADD(by_signal, a->signals, number);
}
static void on_helpers_signal(int number, void *arg) {
  struct app *a = arg;
  HELPER(a)->done = number;
}

struct question { struct app *app; int answer; };
static void on_answer(void *arg) {
  struct question *q = arg;
  read(q->app->pipe, &q->answer, sizeof q->answer);
  ADD(answer, q->app->answers, q->answer);
  HELPER(q->app)->done = 1;
}
static int ask(struct app *a) {
  struct question q = {a, 0};
  if (loop_add(HELPER(a), a->pipe, on_answer, &q))
    return 0;
  HELPER(a)->done = 0;
  loop_run(HELPER(a));
  loop_remove(HELPER(a), a->pipe);
  return q.answer;
}
static void load(struct app *a) {
  int n = ask(a);
  ADD(item, a->items, n);
}

#ifdef ADDRESS
static void set(struct loop **where, struct loop *l) { *where = l; }
#endif
#ifdef EITHER
static struct loop *loops[2];
#endif
static void make_loops(struct app *a) {
#ifdef MEMBERS
  loop_init(MAIN(a));
  loop_init(HELPER(a));
#else
  a->main_loop = loop_new();
#if defined SAME
  a->helper_loop = a->pipe ? loop_new() : a->main_loop;
#elif defined ADDRESS
  set(&a->helper_loop, a->main_loop);
#elif defined BYTES
  char bytes[sizeof *a];
  read(0, bytes, sizeof bytes);
  memcpy(a, bytes, sizeof *a);
#elif defined EITHER
  loops[0] = a->main_loop;
  loops[1] = loop_new();
  a->helper_loop = loops[a->pipe];
#else
  a->helper_loop = loop_new();
#endif
#endif
#ifdef PARENT
  a->helper_loop->parent = a->main_loop;
#endif
}

static void watch(struct app *a, int fd, handler *fn) {
  loop_add(MAIN(a), fd, fn, a);
#ifdef WATCHES // it is registered with both
  loop_add(HELPER(a), fd, fn, a);
#endif
}

int main(int argc, char **argv) {
  struct app *a = &app;
  make_loops(a);
  loop_on_signal(HELPER(a), on_helpers_signal, a);
  loop_on_signal(MAIN(a), on_signal, a);
  watch(a, 0, on_event);
#ifdef LATER
  event_change(TAILQ_FIRST(&MAIN(a)->events), on_event);
#endif
  load(a);
  return loop_run(MAIN(a));
}
