// Signals come in the middle of sections. What their handlers change of what is
// kept is to act on, however they are registered: by signal(), in a record that
// stands in an initialiser or a table, or in a union within one. A handler that
// sets a flag changes nothing that is kept, and from one that ends the process
// nobody goes on: SignalHandlers-ends.c.
//
// RUN: %nvmove_act --load load --analyze-only --force --out %t.out %s
// RUN: FileCheck %s --input-file %t.out/report.json
// CHECK: "function": "by_name",
// CHECK-NEXT: "id": "changed-by-signal"
// CHECK: "what": "by_name(), which runs on a signal, changes persistent state
// CHECK: "function": "count",
// CHECK-NEXT: "id": "changed-by-signal"
// CHECK: "what": "in_table(), which runs on a signal, reaches this place, which changes
// CHECK: "function": "by_action",
// CHECK-NEXT: "id": "changed-by-signal"
// CHECK: "what": "by_action(), which runs on a signal, changes
// CHECK: "function": "in_literal",
// CHECK-NEXT: "id": "changed-by-signal"
// CHECK: "what": "in_literal(), which runs on a signal, changes
// CHECK: "function": "jumps",
// CHECK-NEXT: "id": "changed-by-signal"
// CHECK: "what": "jumps(), which runs on a signal, changes
// CHECK-NOT: changed-by-signal
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct job {
  struct job *next;
  int runs, id;
};
static struct job *jobs;
static int done;
static volatile sig_atomic_t quit;
static sigjmp_buf again;

static void by_name(int s) { (void)s; done++; }
static void count(struct job *j) { j->runs++; }
static void by_action(int s, siginfo_t *i, void *c) { (void)s; (void)i; (void)c; jobs->runs = 0; }
static void in_table(int s) { count(jobs); (void)s; }
static void in_literal(int s) { (void)s; jobs->id = 0; }
static void jumps(int s) { (void)s; jobs->id++; siglongjmp(again, 1); }
static void sets_flag(int s) { (void)s; quit = 1; }

static const struct {
  int signal;
  struct sigaction action;
} table[] = {{SIGUSR2, {.sa_handler = in_table}}};

static void add(int id, int runs) {
  struct job *j = calloc(1, sizeof *j);
  j->id = id;
  j->runs = runs;
  j->next = jobs;
  jobs = j;
}
static void load(FILE *f) {
  int id, runs;
  if (fscanf(f, "%d", &done) != 1)
    return;
  while (fscanf(f, "%d %d", &id, &runs) == 2)
    add(id, runs);
}
static void handle(const char *line) {
  if (line[0] == 'a')
    add(atoi(line + 1), 0);
  printf("%d\n", done);
}
int main(void) {
  char line[64];
  struct sigaction action;
  FILE *f = fopen("jobs", "r");
  action.sa_sigaction = by_action;
  action.sa_flags = SA_SIGINFO;
  signal(SIGUSR1, by_name);
  signal(SIGINT, jumps);
  signal(SIGTERM, sets_flag);
  sigaction(SIGALRM, &action, NULL);
  sigaction(table[0].signal, &table[0].action, NULL);
  sigaction(SIGHUP, &(struct sigaction){.sa_handler = in_literal}, NULL);
  if (f)
    load(f);
  sigsetjmp(again, 1);
  while (!quit && fgets(line, sizeof line, stdin))
    handle(line);
  return 0;
}
