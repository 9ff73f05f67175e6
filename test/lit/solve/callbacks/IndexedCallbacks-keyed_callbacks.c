// A load signals some events; functions that listen to others are not called. A
// list for each event, an array of functions, one of records, and a member of a
// heap object hold the callbacks. Where an entry may get under another event, or
// its function is not known, all count as called.
//
// RUN: %nvmove --load load --print types %s -- -std=gnu11 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types %s -- -std=gnu11 -DMOVES > %t.moves
// RUN: FileCheck %s --input-file %t.moves --match-full-lines --implicit-check-not={{.}} --check-prefixes=CHECK,LIST
// RUN: %nvmove --load load --print types %s -- -std=gnu11 -DBY_NUMBER > %t.number
// RUN: FileCheck %s --input-file %t.number --match-full-lines --implicit-check-not={{.}} --check-prefixes=CHECK,LIST
// RUN: %nvmove --load load --print types %s -- -std=gnu11 -DESCAPES > %t.escapes
// RUN: FileCheck %s --input-file %t.escapes --match-full-lines --implicit-check-not={{.}} --check-prefixes=CHECK,FUNCTIONS
// RUN: %nvmove --load load --print types %s -- -std=gnu11 -DCOPIES > %t.copies
// RUN: FileCheck %s --input-file %t.copies --match-full-lines --implicit-check-not={{.}} --check-prefixes=CHECK,RECORDS
// RUN: %nvmove --load load --print types %s -- -std=gnu11 -DANY_EVENT > %t.any
// RUN: FileCheck %s --input-file %t.any --match-full-lines --implicit-check-not={{.}} --check-prefixes=CHECK,MEMBER
// RUN: %nvmove --load load --print types %s -- -std=gnu11 -DCHANGES > %t.changes
// RUN: FileCheck %s --input-file %t.changes --match-full-lines --implicit-check-not={{.}} --check-prefixes=CHECK,FUNCTIONS
// RUN: %nvmove --load load --print types %s -- -std=gnu11 -DNARROWS > %t.narrows
// RUN: FileCheck %s --input-file %t.narrows --match-full-lines --implicit-check-not={{.}} --check-prefixes=CHECK,FUNCTIONS
//
// LIST: by_list
// RECORDS: by_record
// FUNCTIONS: by_function
// MEMBER: by_member
// CHECK: item
// CHECK: seen

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum event { ADDED, REMOVED, QUIT, LAST };
typedef void handler(int event);
struct entry { struct entry *next; handler *fn; };
struct slot { handler *fn; int calls; };
struct hook { handler *fn; };
struct bus { struct hook slots[LAST]; };

struct item { struct item *next; int n; };
struct seen { struct seen *next; int n; };
struct by_list { struct by_list *next; int n; };
struct by_function { struct by_function *next; int n; };
struct by_record { struct by_record *next; int n; };
struct by_member { struct by_member *next; int n; };

static struct item *items;
static struct seen *all_seen;
static struct by_list *lists;
static struct by_function *functions;
static struct by_record *records;
static struct by_member *members;

static struct entry *listeners[LAST];
static handler *plain[LAST];
static struct slot slots[LAST];
static struct bus *bus;

#define ADD(type, head)                                                        \
  do {                                                                         \
    struct type *made = malloc(sizeof *made);                                  \
    made->n = event;                                                           \
    made->next = head;                                                         \
    head = made;                                                               \
  } while (0)

static void note_added(int event) { ADD(seen, all_seen); }
static void list_removed(int event) { ADD(by_list, lists); }
static void function_removed(int event) { ADD(by_function, functions); }
static void record_removed(int event) { ADD(by_record, records); }
static void member_removed(int event) { ADD(by_member, members); }

static void listen(int event, handler *fn) {
  struct entry *e = malloc(sizeof *e);
  if (!e)
    abort();
  e->fn = fn;
  e->next = listeners[event];
  listeners[event] = e;
}
static void forget(int event, handler *fn) {
  struct entry *e = listeners[event], *before = NULL;
  for (; e; before = e, e = e->next)
    if (e->fn == fn) {
      if (before)
        before->next = e->next;
      else
        listeners[event] = e->next;
      free(e);
      return;
    }
}
static void forget_all(void) {
  for (int i = 0; i < LAST; i++) {
    while (listeners[i]) {
      struct entry *next = listeners[i]->next;
      free(listeners[i]);
#ifdef MOVES
      listeners[(i + 1) % LAST] = next;
#endif
      if (next)
        next->fn = NULL;
      break;
    }
    listeners[i] = NULL;
  }
}
static void on(int event, handler *fn) {
#ifdef CHANGES
  event = ADDED;
#endif
#ifdef NARROWS // 256 + ADDED is ADDED
  plain[(unsigned char)event] = fn;
#else
  plain[event] = fn;
#endif
}
static void set(enum event event, handler *fn) { slots[event].fn = fn; }
static void set_in(struct bus *b, enum event event, handler *fn) {
  b->slots[event].fn = fn;
}
static void dispatch(int event) {
  struct entry *e = listeners[event];
  while (e) {
    e->fn(event);
    e = e->next;
  }
  if (plain[event])
    plain[event](event);
  if (slots[event].fn) {
    slots[event].calls++;
    slots[event].fn(event);
  }
  if (bus && bus->slots[event].fn)
    bus->slots[event].fn(event);
}
#ifdef ESCAPES
handler **find(int event) { return &plain[event]; }
#endif
#ifdef COPIES
void restore(const struct slot *from) { memcpy(slots, from, sizeof slots); }
#endif
static void signal_event(int event) { dispatch(event); }

static void load(void) {
  FILE *f = fopen("state", "r");
  int n, event = 0;
  if (!f)
    return;
  while (fscanf(f, "%d", &n) == 1) {
    ADD(item, items);
    signal_event(ADDED);
  }
  fclose(f);
}
static void (*adder)(int, handler *);
int main(int argc, char **argv) {
  int removed = REMOVED;
  memset(plain, 0, sizeof plain);
  bus = calloc(1, sizeof *bus);
  listen(ADDED, note_added);
#ifdef BY_NUMBER
  listen(atoi(argv[1]), list_removed);
#else
  listen(REMOVED, list_removed);
#endif
  adder = argc > 1 ? listen : forget;
  adder(QUIT, list_removed);
#ifdef NARROWS
  on(256 + ADDED, function_removed);
#else
  on(REMOVED, function_removed);
#endif
  set(REMOVED, record_removed);
#ifdef ANY_EVENT
  set_in(bus, argc, member_removed);
#else
  set_in(bus, REMOVED, member_removed);
#endif
  load();
  for (int c; (c = getchar()) != EOF;) {
    signal_event(c == 'r' ? REMOVED : QUIT);
    forget(removed, list_removed);
    if (c == 'f')
      forget_all();
    printf("%p %p %p %p %p %p\n", items, all_seen, lists, functions, records, members);
  }
  return 0;
}
