// A loop around the load and the main loop: the program starts again when it is
// told to, reads its file anew and serves again. What serves is the main loop,
// and what stands around it, and before the load, is start-up: nothing of that is
// a section. It is told that a load that is asked for is skipped; or, where the
// loop makes anew what the pool gives back, that nothing is guarded.
//
// RUN: cd %S && %nvmove_act --load load --force --out %t.out MainLoops-restart_loop.c > %t.log
// RUN: FileCheck %s --input-file %t.log --implicit-check-not=load-not-guarded
// CHECK: 1 root
// CHECK-NEXT: rules
// CHECK: 1 suggested section
// CHECK-NEXT: command {{ *}}dispatcher
// CHECK: load-on-request{{.*}}when the main loop has ended, the loop around both gets here again
// RUN: %nvmove_act --load load --force --out %t.out MainLoops-restart_loop.c -- -DANEW > %t.log
// RUN: FileCheck %s --input-file %t.log --check-prefix=ANEW --implicit-check-not=load-on-request
// ANEW: 1 suggested section
// ANEW-NEXT: command {{ *}}dispatcher
// ANEW: load-not-guarded{{.*}}it is called in a loop that also writes rules
//
// A loop that loads for each request, and then waits for something small, is the
// main loop.
// RUN: %nvmove --load load --analyze-only --force --out %t.out MainLoops-restart_loop.c -- -DEACH > %t.log
// RUN: FileCheck %s --input-file %t.log --check-prefix=EACH
// EACH: suggested section
// EACH: command {{ *}}dispatcher
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct rule { struct rule *next; int v; };
struct client { struct client *next; int hits; };
static struct rule *rules;
static struct client *clients;
static int quit, again, logged;
void load(const char *name) {
  FILE *f = fopen(name, "r");
  int v;
  while (f && fscanf(f, "%d", &v) == 1) {
    struct rule *r = calloc(1, sizeof *r);
    r->v = v;
    r->next = rules;
    rules = r;
  }
  if (f)
    fclose(f);
}
static void init(void) {
#ifdef ANEW
  rules = NULL;
#endif
  clients = NULL;
  logged++;
}
static void drop(int v) {
  while (rules && rules->v == v)
    rules = rules->next;
}
static void hit(int v) {
  struct client *c = calloc(1, sizeof *c);
  c->hits = v;
  c->next = clients;
  clients = c;
}
static void command(const char *text) {
  if (*text == 'q')
    quit = 1;
  else if (*text == 'r')
    again = 1;
  else if (*text == 'd')
    drop(atoi(text + 1));
  else
    hit(*text);
}
static void pause_a_bit(void) {
  struct pollfd none = {0};
  for (int i = 0; i < 3; i++)
    poll(&none, 1, 100);
}
static int ready(void) {
  struct pollfd in = {0, POLLIN, 0};
  return poll(&in, 1, -1);
}
static void serve(void) {
  char line[64];
  again = 0;
  while (!quit && !again && ready() > 0 && fgets(line, sizeof line, stdin))
    command(line);
}
int main(void) {
#ifdef EACH
  char line[64];
  while (ready() > 0 && fgets(line, sizeof line, stdin)) {
    load("rules");
    command(line);
    pause_a_bit();
  }
  (void)serve;
  (void)init;
#else
  while (!quit) {
    init();
    load("rules");
    serve();
  }
  pause_a_bit();
#endif
  return logged;
}
