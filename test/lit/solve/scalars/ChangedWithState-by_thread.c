// What a thread changes beside the state belongs to it as what a handler
// changes does, in a loop that never ends, too: what is answered is to act on,
// and with --keep the program goes on where it was.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.c && printf '1 2 3 ' > data
// RUN: %nvmove_act --load load app.c | FileCheck %s --check-prefix=ASKED
// RUN: %nvmove --load load --keep gone --force app.c > out
// RUN: FileCheck %s --input-file out --implicit-check-not=lost-with-state
// RUN: cp %s plain.c && gcc plain.c -o plain -lpthread && sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app -lpthread
// RUN: printf 'm1\ns\nm3\ns\nm2\ns\n?\n' | ./plain > want
// RUN: printf 'm1\ns\nx\n' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: printf 'm3\ns\nx\n' | env NVM_POOL=%t/pool not --crash ./app >> log
// RUN: printf 'm2\ns\n?\n' | env NVM_POOL=%t/pool ./app >> log
// RUN: diff want log
//
// ASKED: lost-with-state {{.*}}gone is changed by handlers, here together with persistent state
// ASKED-SAME: (in sweep)
// CHECK: gone {{ *}}is named with --keep

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct entry { struct entry *next; int v, dead; };
static struct entry *entries;
static long gone;
static int pending;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t told = PTHREAD_COND_INITIALIZER,
                      done = PTHREAD_COND_INITIALIZER;

static void load(const char *name) {
  FILE *f = fopen(name, "r");
  int v;
  while (f && fscanf(f, "%d", &v) == 1) {
    struct entry *e = calloc(1, sizeof *e);
    e->v = v;
    e->next = entries;
    entries = e;
  }
  if (f)
    fclose(f);
}
static void *sweep(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (!pending)
      pthread_cond_wait(&told, &lock);
    for (struct entry **p = &entries; *p;)
      if ((*p)->dead) {
        struct entry *e = *p;
        *p = e->next;
        free(e);
        gone++;
      } else {
        p = &(*p)->next;
      }
    pending = 0;
    pthread_cond_signal(&done);
  }
  return NULL;
}
static void handle(const char *line) {
  pthread_mutex_lock(&lock);
  if (line[0] == 'm') {
    for (struct entry *e = entries; e; e = e->next)
      if (e->v == atoi(line + 1))
        e->dead = 1;
  } else if (line[0] == 's') {
    pending = 1;
    pthread_cond_signal(&told);
    while (pending)
      pthread_cond_wait(&done, &lock);
    printf("%ld\n", gone);
  } else {
    for (struct entry *e = entries; e; e = e->next)
      printf("%d ", e->v);
    printf("%ld\n", gone);
  }
  fflush(stdout);
  pthread_mutex_unlock(&lock);
}
int main(void) {
  char line[64];
  pthread_t thread;
  load("data");
  pthread_create(&thread, NULL, sweep, NULL);
  while (fgets(line, sizeof line, stdin)) {
    if (line[0] == 'x')
      raise(SIGKILL);
    handle(line);
  }
  return 0;
}
