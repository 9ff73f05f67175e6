// A main loop of a library calls what the program has handed to it, or to the
// library before it: each such call is a section. Not what other libraries are
// handed, which is told, and not what changes nothing.
//
// RUN: rm -rf %t && split-file %s %t && cd %t && echo 1 2 > data
// RUN: %nvmove --load load app.c -- -Iinclude > out
// RUN: FileCheck %s --input-file out
// CHECK:     2 suggested sections
// CHECK-DAG: got_packet {{ *}}callback {{ *}}100% of persistent stores
// CHECK-DAG: got_event {{ *}}callback
// CHECK-NOT: tick {{ *}}callback
// CHECK:     store-outside-section {{.*}}other is passed to register_other(), and may change persistent state outside of sections
//
// RUN: env CPATH=include sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: FileCheck %s --input-file app.c --check-prefix=TEXT
// TEXT:      static void got_packet(void *user, int id, const unsigned char *data) { NVM_SECTION();
// TEXT-NEXT: int n = id;
// TEXT-NOT:  static void tick(void *user) { NVM_SECTION();
// RUN: %nvmove --load load --out again app.c -- -Iinclude -I %runtime_include > again.out
// RUN: FileCheck %s --input-file again.out --check-prefix=AGAIN
// AGAIN: 0 patches
//
// RUN: gcc -I %runtime_include -Iinclude app.c library.c %runtime_lib -o app
// RUN: printf 'p5e6p7t' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: printf 'p8e9q' | env NVM_POOL=%t/pool ./app >> log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG: 9 8 7 6 5 2 1

//--- include/event2/event.h
struct event;
struct event *event_new(int fd, void (*call)(int fd, short what, void *user), void *user);
void event_timer(void (*call)(void *user));
int event_base_dispatch(void *base);

//--- include/pcap.h
typedef void (*pcap_handler)(void *user, int id, const unsigned char *data);
int pcap_loop(void *p, int count, pcap_handler call, void *user);

//--- include/other/other.h
void register_other(void (*call)(int n));

//--- library.c
#include <event2/event.h>
#include <other/other.h>
#include <pcap.h>
#include <signal.h>
#include <stdio.h>

static void (*on_event)(int, short, void *);
static void (*on_timer)(void *);
struct event *event_new(int fd, void (*call)(int, short, void *), void *user) {
  (void)fd, (void)user;
  on_event = call;
  return 0;
}
void event_timer(void (*call)(void *)) { on_timer = call; }
void register_other(void (*call)(int n)) { (void)call; }
static int run(pcap_handler call) {
  for (int c; (c = getchar()) != EOF && c != 'q';)
    if (c == 'p')
      call(0, getchar() - '0', 0);
    else if (c == 'e')
      on_event(getchar() - '0', 0, 0);
    else if (c == 't')
      raise(SIGKILL);
  if (on_timer)
    on_timer(0);
  return 0;
}
int event_base_dispatch(void *base) { return base != 0; }
int pcap_loop(void *p, int count, pcap_handler call, void *user) {
  (void)p, (void)count, (void)user;
  return run(call);
}

//--- app.c
#include <event2/event.h>
#include <other/other.h>
#include <pcap.h>
#include <stdio.h>
#include <stdlib.h>

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
static void got_packet(void *user, int id, const unsigned char *data) {
  int n = id;
  (void)user, (void)data;
  if (n < 0)
    return;
  add(n);
}
static void got_event(int fd, short what, void *user) {
  (void)what, (void)user;
  add(fd);
}
static void other(int n) { add(n); }
static void tick(void *user) {
  (void)user;
  for (struct item *it = all; it; it = it->next)
    printf("%d ", it->id);
}
int main(void) {
  load("data");
  register_other(other);
  event_new(1, got_event, NULL);
  event_timer(tick);
  pcap_loop(NULL, -1, got_packet, NULL);
  event_base_dispatch(NULL);
  return 0;
}
