// The load fills one list, and commands push what it made onto others, whose
// heads then come back. Pointers that only walk do not, nor does what is pushed
// onto a list that the load fills, too, need it.
//
// RUN: %nvmove --notes --load load --analyze-only --force --out %t.out %s > %t.log
// RUN: FileCheck %s --input-file %t.log --implicit-check-not='is not kept'
// CHECK: 3 roots
// CHECK-NEXT: done
// CHECK-NEXT: state.busy
// CHECK-NEXT: state.ready
#include <stdio.h>
#include <stdlib.h>

struct job { struct job *next; int n; };
static struct { struct job *ready, *busy; } state;
static struct job *done, *current;
static void add(int n) {
  struct job *job = malloc(sizeof *job);
  job->n = n;
  job->next = state.ready;
  state.ready = job;
}
static void load(void) {
  FILE *f = fopen("state", "r");
  int n;
  if (!f)
    return;
  while (fscanf(f, "%d", &n) == 1)
    add(n);
  fclose(f);
}
static void command(int c) {
  struct job *job = state.ready, *busy = state.busy;
  if (c == 'a')
    add(c);
  current = state.ready;
  if (c == 'r' && job) {
    state.ready = job->next;
    job->next = state.busy;
    state.busy = job;
  }
  if (c == 'd' && busy) {
    state.busy = busy->next;
    busy->next = done;
    done = busy;
  }
  for (job = done; job; job = job->next)
    printf("%d ", job->n + current->n);
}
int main(void) {
  int c;
  load();
  while ((c = getchar()) != EOF)
    command(c);
  return 0;
}
