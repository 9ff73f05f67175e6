// Numbers that commands alone count, and that go into what is loaded: a ticket,
// the mark of a walk. They come back with the objects that have them. One that
// is counted at more than one place, or set anew, is told; the number of what
// is open goes into nothing that lasts.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --notes --load load --section command app.c > out
// RUN: FileCheck %s --input-file out
// CHECK:      3 restored scalars
// CHECK-NEXT: ids {{ *}}is counted, and kept in what is loaded
// CHECK-NEXT: mark {{ *}}is counted, and kept in what is loaded
// CHECK-NEXT: tickets {{ *}}is counted, and kept in what is loaded
// CHECK-NOT:  count-not-kept
// CHECK:      count-not-kept {{ *}}clock_, place is counted by what handlers run, and put into persistent objects, and is not restored
// CHECK:      count-not-kept {{ *}}clock_ is counted
// CHECK-NEXT: count-not-kept {{ *}}place is counted
// CHECK-NOT:  count-not-kept
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'nnwx' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: printf 'nw' | env NVM_POOL=%t/pool ./app >> log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG:      1 11
// LOG-NEXT: 2 12
// LOG-NEXT: 4 seen
// LOG-NEXT: 3 13
// LOG-NEXT: 5 seen

//--- data
3 4
//--- app.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct item {
  struct item *next;
  int value;
  unsigned ticket, id, stamp, mark, place;
};
static struct item *items;
static unsigned tickets = 1, ids, clock_, mark, place, open_files;

static struct item *add(int value) {
  struct item *i = calloc(1, sizeof *i);
  if (!i)
    abort();
  i->value = value;
  i->next = items;
  return items = i;
}

static void load(void) {
  FILE *f = fopen("data", "r");
  int v;
  if (!f)
    return;
  while (fscanf(f, "%d", &v) == 1)
    add(v);
  fclose(f);
}

static unsigned next_id(void) { return ++ids; }

static void name(struct item *i, unsigned ticket) {
  i->ticket = ticket;
  i->id = next_id();
}

static void command(int c) {
  struct item *i;
  unsigned seen = 0;
  open_files++;
  if (c == 'x')
    kill(getpid(), SIGKILL);
  if (c == 'n') {
    i = add(c);
    name(i, tickets++);
    i->stamp = ++clock_;
    printf("%u %u\n", i->ticket, i->id);
  }
  if (c == 'u' && items)
    items->stamp = ++clock_;
  if (c == 'p')
    for (i = items, place = 0; i; i = i->next)
      i->place = place++;
  if (c == 'w') {
    mark++;
    for (i = items; i; i = i->next)
      if (i->mark != mark) {
        i->mark = mark;
        seen++;
      }
    printf("%u seen\n", seen);
  }
  fflush(stdout);
  open_files--;
}

static void begin(void) { ids = 10; }

int main(void) {
  int c;
  begin();
  load();
  while ((c = getchar()) != EOF)
    command(c);
  return (int)open_files;
}
