// Blocks of a record that a system header defines go where they hang: into the
// heap.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load program.c > out
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c
// CHECK: NVM(watched[i].fd) = fd;
// CHECK: NVM(e->at) = NVM_ALLOC(bytes, nvm_malloc(sizeof *e->at));
// CHECK: NVM(e->at->tv_sec) = x;
// CHECK: times = NVM_ALLOC(bytes, nvm_realloc(times, (n + 1) * sizeof *times));
// CHECK: NVM(times[n].tv_sec) = x;
// CHECK: NVM(times[0].tv_sec) += watched[0].fd;

//--- program.c
#include <poll.h>
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

static struct pollfd *watched;
static size_t count, room;

// By address: no type says what is made.
static void grow(void *ptr, size_t size) {
  void **p = (void **)ptr, *r = *p ? realloc(*p, size) : malloc(size);
  if (!r)
    abort();
  *p = r;
}
static void watch(int fd) {
  size_t i = count;
  if (count == room)
    grow(&watched, (room += 2) * sizeof *watched);
  count++;
  watched[i].fd = fd;
  watched[i].events = POLLIN;
}
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
    watch((int)x);
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
      times[0].tv_sec += watched[0].fd;
  return events && events->at ? (int)events->at->tv_sec : 0;
}
