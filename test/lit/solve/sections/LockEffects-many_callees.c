// One function stops the threads, by a lock of each, or lets them go on: what
// it may leave held is that of all its callees, however many these are. So
// where it lets them go on a path is found on which the locks are held.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %nvmove --load load --analyze-only --out out %s > log
// RUN: FileCheck %s --input-file log
// CHECK: 10 suggested sections
// CHECK-NOT: lock-not-followed
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct item {
  struct item *next;
  int n;
};
static struct item *items;

// What macros take is one lock, so all of them are spelled out.
static pthread_mutex_t north, east, south, west, up, down, left, right, front,
    back;
static void stop_north(void) { pthread_mutex_lock(&north); }
static void go_on_north(void) { pthread_mutex_unlock(&north); }
static void stop_east(void) { pthread_mutex_lock(&east); }
static void go_on_east(void) { pthread_mutex_unlock(&east); }
static void stop_south(void) { pthread_mutex_lock(&south); }
static void go_on_south(void) { pthread_mutex_unlock(&south); }
static void stop_west(void) { pthread_mutex_lock(&west); }
static void go_on_west(void) { pthread_mutex_unlock(&west); }
static void stop_up(void) { pthread_mutex_lock(&up); }
static void go_on_up(void) { pthread_mutex_unlock(&up); }
static void stop_down(void) { pthread_mutex_lock(&down); }
static void go_on_down(void) { pthread_mutex_unlock(&down); }
static void stop_left(void) { pthread_mutex_lock(&left); }
static void go_on_left(void) { pthread_mutex_unlock(&left); }
static void stop_right(void) { pthread_mutex_lock(&right); }
static void go_on_right(void) { pthread_mutex_unlock(&right); }
static void stop_front(void) { pthread_mutex_lock(&front); }
static void go_on_front(void) { pthread_mutex_unlock(&front); }
static void stop_back(void) { pthread_mutex_lock(&back); }
static void go_on_back(void) { pthread_mutex_unlock(&back); }
static void pause_all(int pauses) {
  if (pauses) {
    stop_north();
    stop_east();
    stop_south();
    stop_west();
    stop_up();
    stop_down();
    stop_left();
    stop_right();
    stop_front();
    stop_back();
  } else {
    go_on_north();
    go_on_east();
    go_on_south();
    go_on_west();
    go_on_up();
    go_on_down();
    go_on_left();
    go_on_right();
    go_on_front();
    go_on_back();
  }
}

static void *work(void *unused) {
  pthread_mutex_lock(&north);
  items->n++;
  pthread_mutex_unlock(&north);
  pthread_mutex_lock(&east);
  items->n++;
  pthread_mutex_unlock(&east);
  pthread_mutex_lock(&south);
  items->n++;
  pthread_mutex_unlock(&south);
  pthread_mutex_lock(&west);
  items->n++;
  pthread_mutex_unlock(&west);
  pthread_mutex_lock(&up);
  items->n++;
  pthread_mutex_unlock(&up);
  pthread_mutex_lock(&down);
  items->n++;
  pthread_mutex_unlock(&down);
  pthread_mutex_lock(&left);
  items->n++;
  pthread_mutex_unlock(&left);
  pthread_mutex_lock(&right);
  items->n++;
  pthread_mutex_unlock(&right);
  pthread_mutex_lock(&front);
  items->n++;
  pthread_mutex_unlock(&front);
  pthread_mutex_lock(&back);
  items->n++;
  pthread_mutex_unlock(&back);
  return unused;
}
static void *maintain(void *unused) {
  pause_all(1);
  pause_all(0);
  return unused;
}

static void load(void) {
  FILE *f = fopen("state", "r");
  int n;
  while (f && fscanf(f, "%d", &n) == 1) {
    struct item *i = malloc(sizeof *i);
    i->n = n;
    i->next = items;
    items = i;
  }
}

int main(void) {
  pthread_t t;
  load();
  pthread_create(&t, NULL, maintain, NULL);
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  return 0;
}
