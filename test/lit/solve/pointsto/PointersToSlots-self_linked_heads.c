// Start-up makes a circular list's head lead to itself; the load appends
// through head.prev->next. Both ends of the head are roots, of a static and of a
// record in one.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load --out out p.c > log
// RUN: FileCheck %s --input-file log --implicit-check-not=made-at-each-start
// RUN: sh %S/../../rewrite/Inputs/apply out/patches %runtime_include p.c
// RUN: gcc -I %runtime_include p.c %runtime_lib -o p
// RUN: sh run ./p > text
// RUN: FileCheck %s --input-file text --check-prefix=OUT
// CHECK: 6 roots
// CHECK-NEXT: app.jobs.next
// CHECK-NEXT: app.jobs.prev
// CHECK-NEXT: first.next
// CHECK-NEXT: first.prev
// CHECK-NEXT: ring.next
// CHECK-NEXT: ring.prev
// OUT: a a a
// OUT-NEXT: b b b
// OUT-NEXT: k k k
// OUT-NEXT: killed 137
// OUT-NEXT: a a a
// OUT-NEXT: b b b
// OUT-NEXT: k k k

//--- run
printf 'ab' > state
export NVM_POOL=$PWD/pool NVM_SIZE=32M
echo k | "$1" state
echo killed $?
"$1" state < /dev/null

//--- p.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct link { struct link *next, *prev; };
struct item { struct link in; int c; };
struct app { int started; struct link jobs; };
static struct link ring, first;
static struct app app;
static void init(struct link *head) { head->next = head->prev = head; }
static void append(struct link *head, struct link *l) {
  l->next = head;
  l->prev = head->prev;
  head->prev->next = l;
  head->prev = l;
}
static void add(struct link *head, int c) {
  struct item *i = malloc(sizeof *i);
  if (!i) abort();
  i->c = c;
  append(head, &i->in);
}
static void load(FILE *f) {
  int c;
  while ((c = fgetc(f)) != EOF) {
    add(&ring, c);
    add(&first, c);
    add(&app.jobs, c);
  }
}
static void show(void) {
  struct link *a = ring.next, *b = first.next, *c = app.jobs.next;
  for (; a != &ring; a = a->next, b = b->next, c = c->next)
    printf("%c %c %c\n", ((struct item *)a)->c, ((struct item *)b)->c, ((struct item *)c)->c);
  fflush(stdout);
}
static void command(int c) {
  add(&ring, c);
  add(&first, c);
  add(&app.jobs, c);
}
int main(int argc, char **argv) {
  int c;
  FILE *f;
  (void)argc;
  init(&ring);
  first.next = &first;
  first.prev = &first;
  init(&app.jobs);
  app.started = 1;
  f = fopen(argv[1], "r");
  if (!f) return 1;
  load(f);
  fclose(f);
  while ((c = getchar()) != EOF) {
    if (c == '\n') { show(); kill(getpid(), SIGKILL); }
    command(c);
  }
  show();
  return 0;
}
