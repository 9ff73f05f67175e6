/*===- schedule.c - threads that take turns by a seed -----------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "schedule.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 8, STUCK = 1000000 };

static struct {
  unsigned threads, joined, running;
  unsigned state;
  int lives[MOST];
  sem_t turn[MOST], all_are_there;
  unsigned long switches, waits;
} plan;
static _Thread_local int self = -1; /* -1: not one of them */

int __real_pthread_mutex_lock(pthread_mutex_t *mutex);
int __real_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int __real_sched_yield(void);
int __real_nanosleep(const struct timespec *pause, struct timespec *left);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int __wrap_sched_yield(void);
int __wrap_nanosleep(const struct timespec *pause, struct timespec *left);

static unsigned draw(unsigned below) {
  plan.state = plan.state * 1664525u + 1013904223u;
  return (plan.state >> 8) % below;
}

static void sleep_until_turn(int number) {
  while (sem_wait(&plan.turn[number]) != 0)
    ;
}

void schedule_begin(unsigned seed, unsigned threads) {
  plan.threads = threads;
  plan.joined = 0;
  plan.state = seed * 2654435761u + 1;
  plan.switches = plan.waits = 0;
  for (unsigned i = 0; i < threads; i++) {
    plan.lives[i] = 1;
    sem_init(&plan.turn[i], 0, 0);
  }
}

/* The last that comes chooses who begins. */
void schedule_join(unsigned number) {
  self = (int)number;
  if (__atomic_add_fetch(&plan.joined, 1, __ATOMIC_SEQ_CST) == plan.threads) {
    plan.running = draw(plan.threads);
    sem_post(&plan.turn[plan.running]);
  }
  sleep_until_turn(self);
}

/* Some living thread from `first` on, or -1. */
static int living(unsigned first) {
  for (unsigned i = 0; i < plan.threads; i++)
    if (plan.lives[(first + i) % plan.threads])
      return (int)((first + i) % plan.threads);
  return -1;
}

static void go_on(int next) {
  if (next == self)
    return;
  plan.switches++;
  plan.running = (unsigned)next;
  sem_post(&plan.turn[next]);
  sleep_until_turn(self);
}

void schedule_leave(void) {
  plan.lives[self] = 0;
  int next = living(draw(plan.threads));
  self = -1;
  if (next >= 0)
    sem_post(&plan.turn[next]);
}

void schedule_point(void) {
  if (self < 0 || draw(4))
    return;
  plan.waits = 0;
  go_on(living(draw(plan.threads)));
}

unsigned long schedule_switches(void) { return plan.switches; }

/* This thread can do nothing now. */
static void pass(void) {
  if (++plan.waits > STUCK) {
    fprintf(stderr, "schedule: every thread waits\n");
    abort();
  }
  go_on(living((unsigned)self + 1));
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex) {
  if (self < 0)
    return __real_pthread_mutex_lock(mutex);
  schedule_point();
  int result;
  while ((result = pthread_mutex_trylock(mutex)) == EBUSY)
    pass();
  return result;
}

/* It ends without reason. */
int __wrap_pthread_cond_wait(pthread_cond_t *condition,
                             pthread_mutex_t *mutex) {
  if (self < 0)
    return __real_pthread_cond_wait(condition, mutex);
  pthread_mutex_unlock(mutex);
  pass();
  return __wrap_pthread_mutex_lock(mutex);
}

int __wrap_sched_yield(void) {
  if (self < 0)
    return __real_sched_yield();
  pass();
  return 0;
}

int __wrap_nanosleep(const struct timespec *pause, struct timespec *left) {
  if (self < 0)
    return __real_nanosleep(pause, left);
  pass();
  return 0;
}
