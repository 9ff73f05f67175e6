// What a signal handler changes on ways on which the process ends is of no use
// to anybody: by exit(), also at the end of a function of another file, by
// abort(), or by the default action of the signal that it sends itself. Where
// some way comes back to what was interrupted, the changes on it are to act on.
//
// RUN: %nvmove_act --load load --analyze-only --force --out %t.out %s
// RUN: FileCheck %s --input-file %t.out/report.json
// CHECK-NOT: changed-by-signal
// CHECK: "function": "may_end",
// CHECK-NEXT: "id": "changed-by-signal"
// CHECK: "what": "may_end(), which
// CHECK: "function": "sends_other",
// CHECK-NEXT: "id": "changed-by-signal"
// CHECK: "what": "sends_other(), which
// CHECK: "function": "sends_first",
// CHECK-NEXT: "id": "changed-by-signal"
// CHECK: "what": "sends_first(), which
// CHECK-NOT: changed-by-signal
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

struct job {
  struct job *next;
  int runs, id;
};
static struct job *jobs;
static int done;

static void finish(int status) {
  jobs->runs = 0;
  if (status > 1)
    abort();
  exit(status);
}
static void ends(int s) {
  done++;
  finish(s);
}
static void may_end(int s) {
  jobs->runs++;
  if (s == SIGTERM) {
    jobs->id = 0;
    finish(0);
  }
}
static void sends_other(int s) {
  (void)s;
  jobs->runs = 2;
  signal(SIGUSR1, SIG_DFL);
  kill(getppid(), SIGUSR1);
}
static void sends_first(int s) {
  raise(s);
  jobs->runs = 3;
  signal(s, SIG_DFL);
}
static void report_end(int s) {
  struct sigaction action;
  action.sa_handler = SIG_DFL;
  sigemptyset(&action.sa_mask);
  sigaction(s, &action, NULL);
  kill(getpid(), s);
}
static void crashes(int s) {
  jobs->runs = 4;
  report_end(s);
}
static void raises(int s) {
  jobs->runs = 5;
  signal(s, SIG_DFL);
  raise(s);
}

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
  FILE *f = fopen("jobs", "r");
  signal(SIGINT, ends);
  signal(SIGTERM, may_end);
  signal(SIGUSR1, sends_other);
  signal(SIGUSR2, sends_first);
  signal(SIGSEGV, crashes);
  signal(SIGBUS, raises);
  if (f)
    load(f);
  while (fgets(line, sizeof line, stdin))
    handle(line);
  return 0;
}
