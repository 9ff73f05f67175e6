// What start-up finds, or makes, before the load in a list that the load fills:
// the list is restored, but the pointer to it with it. So does one to what it
// makes and puts there. One that is set after the load finds the object again
// by itself, and one to what is in no such list is each start's.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --notes --load load app.c > out
// RUN: FileCheck %s --input-file out
// CHECK:      3 roots
// CHECK-NEXT: first
// CHECK-NEXT: standard
// CHECK-NEXT: tubes
// CHECK-NEXT: {{^$}}
// CHECK:      nothing to act on, nothing to check
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf ax | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: printf bx | env NVM_POOL=%t/pool not --crash ./app >> log
// RUN: printf c | env NVM_POOL=%t/pool ./app >> log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG:      m: 2 d: 97 1 f: 98
// LOG-NEXT: m: 2 d: 98 97 1 f: 99 98
// LOG-NEXT: m: 2 d: 99 98 97 1 f: 100 99 98

//--- data
d 1
m 2
//--- app.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct job {
  struct job *next;
  int id;
};
struct tube {
  struct tube *next;
  char name;
  struct job *jobs;
};
static struct tube *tubes, *standard, *first, *own, *last;

static struct tube *make(char name) {
  struct tube *t = calloc(1, sizeof *t);
  if (!t)
    abort();
  t->name = name;
  return t;
}

static struct tube *link_tube(struct tube *t) {
  t->next = tubes;
  return tubes = t;
}

static struct tube *find_or_make(char name) {
  struct tube *t;
  for (t = tubes; t; t = t->next)
    if (t->name == name)
      return t;
  return link_tube(make(name));
}

static void put(struct tube *t, int id) {
  struct job *j = malloc(sizeof *j);
  if (!j)
    abort();
  j->id = id;
  j->next = t->jobs;
  t->jobs = j;
}

static void load(void) {
  FILE *f = fopen("data", "r");
  char name;
  int id;
  if (!f)
    return;
  while (fscanf(f, " %c %d", &name, &id) == 2)
    put(find_or_make(name), id);
  fclose(f);
}

static void print(void) {
  struct tube *t;
  struct job *j;
  for (t = tubes; t; t = t->next) {
    printf("%c:", t->name);
    for (j = t->jobs; j; j = j->next)
      printf(" %d", j->id);
    printf(t->next ? " " : "\n");
  }
  fflush(stdout);
}

static void command(int c) {
  if (c == 'x' && last)
    kill(getpid(), SIGKILL);
  put(standard, c);
  put(first, c + 1);
  put(own, c);
  print();
}

static void begin(void) {
  first = make('f');
  link_tube(first);
  own = make('o');
  standard = find_or_make('d');
}

int main(void) {
  int c;
  begin();
  load();
  last = find_or_make('m');
  while ((c = getchar()) != EOF)
    command(c);
  return 0;
}
