"""Prints a program of N handlers that call each other through one table, each of
them with a lock of its own in a record of its own: what stands behind each of its
N calls is all of its N functions."""

import sys

count = int(sys.argv[1])
print("""#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
typedef int handler(int);
static handler *handlers[%d];
static struct item { struct item *next; int n; } *items;
static pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER;""" % count)
for i in range(count):
    print(f"""static struct s{i} {{ pthread_mutex_t mu; int n; }} s{i};
static int handle{i}(int n) {{
  pthread_mutex_lock(&s{i}.mu);
  s{i}.n++;
  if (n > {i})
    n = handlers[n % {count}](n - 1);
  pthread_mutex_unlock(&s{i}.mu);
  return n ? handlers[n / {count}](n - 2) : 0;
}}""")
print("static void set(void) {")
for i in range(count):
    print(f"  handlers[{i}] = handle{i};")
print("""}
static void *work(void *unused) {
  pthread_mutex_lock(&all);
  items->n++;
  handlers[items->n](9);
  pthread_mutex_unlock(&all);
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
  set();
  load();
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  return 0;
}""")
