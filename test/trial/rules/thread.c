// A thread makes the changes, and no lock says when they are whole.
//
// rules: reportThreadStores
// told: changed-by-thread
// state: 5 7
// input: 3, 9, 4
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
struct item { struct item *next; int level; };
static struct item *items;
static sem_t given, done;
static char line[64];
static void add(int level) {
  struct item *i = malloc(sizeof *i);
  i->level = level;
  i->next = items;
  items = i;
}
static void load(void) {
  FILE *f = fopen("state", "r");
  int level;
  if (!f)
    return;
  while (fscanf(f, "%d", &level) == 1)
    add(level);
  fclose(f);
}
static void *work(void *nothing) {
  for (;;) {
    while (sem_wait(&given))
      ;
    add(atoi(line));
    sem_post(&done);
  }
  return nothing;
}
int main(void) {
  pthread_t thread;
  load();
  sem_init(&given, 0, 0);
  sem_init(&done, 0, 0);
  pthread_create(&thread, NULL, work, NULL);
  while (fgets(line, sizeof line, stdin)) {
    sem_post(&given);
    while (sem_wait(&done))
      ;
    for (struct item *i = items; i; i = i->next)
      printf("%d ", i->level);
    putchar('\n');
    fflush(stdout);
  }
  return 0;
}
