// Blocks of a record that a system header defines go where they hang: into the
// heap.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load program.c > out
// RUN: sh %S/Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c
// CHECK: NVM(e->at) = NVM_ALLOC(bytes, nvm_malloc(sizeof *e->at));
// CHECK: NVM(e->at->tv_sec) = x;
// CHECK: times = NVM_ALLOC(bytes, nvm_realloc(times, (n + 1) * sizeof *times));
// CHECK: NVM(times[n].tv_sec) = x;
// CHECK: NVM(times[0].tv_sec)++;

//--- program.c
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

struct event {
  int id;
  struct timeval *at;
  struct event *next;
};
static struct event *events;
static struct timeval *times;
static size_t n;

static void load(void) {
  long x;
  FILE *f = fopen("state", "r");
  if (!f)
    return;
  while (fscanf(f, "%ld", &x) == 1) {
    struct event *e = malloc(sizeof *e);
    if (!e)
      abort();
    e->id = (int)n;
    e->at = malloc(sizeof *e->at);
    if (e->at)
      e->at->tv_sec = x;
    e->next = events;
    events = e;
    times = realloc(times, (n + 1) * sizeof *times);
    if (!times)
      abort();
    times[n].tv_sec = x;
    times[n++].tv_usec = 0;
  }
  fclose(f);
}
int main(void) {
  int c;
  load();
  while ((c = getchar()) != EOF)
    if (n)
      times[0].tv_sec++;
  return events && events->at ? (int)events->at->tv_sec : 0;
}
