// Threads that read what clients send, and leave it to the main loop to carry it
// out: what they run of the same function stands behind a test that contradicts
// the one on the way. A lock by which they are stopped, which they take and give
// back at once, may be held where something is let out.
//
// RUN: %nvmove --commit-at-output --analyze-only --force --load load --out %t.1 %s -- | FileCheck %s --check-prefix=ASKED
// RUN: grep -q '"commitsAtOutput": true' %t.1/report.json
// ASKED-NOT: sections commit at their ends
// ASKED: commit-at-output {{.*}}threads print nothing, and output nothing while they hold a lock, if mode does not change while they work
//
// Where a thread changes it itself, the test on the way says nothing; nor is there
// one where both ask for the same.
// RUN: %nvmove --commit-at-output --analyze-only --force --load load --out %t.2 %s -- -DCHANGES | FileCheck %s --check-prefix=PRINTS
// RUN: %nvmove --commit-at-output --analyze-only --force --load load --out %t.3 %s -- -DSAME | FileCheck %s --check-prefix=PRINTS
// RUN: grep -q '"commitsAtOutput": false' %t.3/report.json
// PRINTS: commit-at-output {{.*}}sections commit at their ends: what a thread prints with printf() is written out when its buffer is full (in carry_out)
//
// A lock with which a thread works, and one that it takes with another held.
// RUN: %nvmove --commit-at-output --analyze-only --force --load load --out %t.4 %s -- -DWORKS | FileCheck %s --check-prefix=HELD
// RUN: %nvmove --commit-at-output --analyze-only --force --load load --out %t.5 %s -- -DWITHIN | FileCheck %s --check-prefix=HELD
// HELD: commit-at-output {{.*}}sections commit at their ends: write() writes output while stopped is held
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct item {
  struct item *next;
  long n;
};
struct client {
  int waits;
  char command;
};
enum { IDLE, READ, SAY };

static struct item *items;
static struct client clients[4];
static pthread_mutex_t stopped = PTHREAD_MUTEX_INITIALIZER,
                       other = PTHREAD_MUTEX_INITIALIZER;
static int mode;
static long turns;

static void add(long n) {
  struct item *i = malloc(sizeof *i);
  if (!i)
    abort();
  i->n = n;
  i->next = items;
  items = i;
}
void load(FILE *in) {
  long n;
  while (fscanf(in, "%ld", &n) == 1)
    add(n);
}
static void carry_out(struct client *c) {
  add(c->command);
  printf("%c\n", c->command);
}
static void read_from(struct client *c) {
  if (read(0, &c->command, 1) != 1)
    return;
#ifdef SAME
  if (mode == SAY) {
#else
  if (mode != IDLE) {
#endif
    c->waits = 1;
    return;
  }
  carry_out(c);
}
static void *work(void *client) {
  struct pollfd none = {-1, 0, 0};
  for (;;) {
    if (poll(&none, 1, 10) != 0) {
#ifdef WITHIN
      pthread_mutex_lock(&other);
#endif
      pthread_mutex_lock(&stopped);
#ifdef WORKS
      turns++;
#endif
      pthread_mutex_unlock(&stopped);
#ifdef WITHIN
      pthread_mutex_unlock(&other);
#endif
      continue;
    }
    if (mode == READ)
      read_from(client);
#ifdef CHANGES
    mode = IDLE;
#endif
  }
}
int main(void) {
  FILE *in = fopen("state", "r");
  pthread_t id;
  if (in) {
    load(in);
    fclose(in);
  }
  pthread_mutex_lock(&stopped);
  for (int i = 1; i < 4; i++)
    pthread_create(&id, NULL, work, &clients[i]);
  for (;;) {
    struct pollfd ready = {0, POLLIN, 0};
    if (poll(&ready, 1, -1) != 1)
      return (int)turns;
    if (items)
      pthread_mutex_unlock(&stopped);
    mode = READ;
    poll(NULL, 0, 10);
    mode = IDLE;
    if (items)
      pthread_mutex_lock(&stopped);
    for (int i = 0; i < 4; i++)
      if (clients[i].waits) {
        clients[i].waits = 0;
        carry_out(&clients[i]);
      }
    read_from(&clients[0]);
    if (write(1, "+", 1) != 1)
      return 1;
  }
}
