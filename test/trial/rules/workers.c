// A thread makes the changes, under a lock, and acknowledges them.
//
// rules: findCriticalSections
// answer: --afresh given,done
// state: 5 7
// input: 3, 9, 4
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
struct item { struct item *next; int level; };
static struct item *items;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int given, done;
static char text[64];
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
    pthread_mutex_lock(&lock);
    while (given == done)
      pthread_cond_wait(&changed, &lock);
    add(atoi(text));
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    for (struct item *i = items; i; i = i->next)
      printf("%d ", i->level);
    putchar('\n');
    fflush(stdout);
    done++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
  }
  return nothing;
}
int main(void) {
  pthread_t thread;
  char line[64];
  load();
  pthread_create(&thread, NULL, work, NULL);
  while (fgets(line, sizeof line, stdin)) {
    pthread_mutex_lock(&lock);
    snprintf(text, sizeof text, "%s", line);
    given++;
    pthread_cond_broadcast(&changed);
    while (given != done)
      pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
  }
  return 0;
}
