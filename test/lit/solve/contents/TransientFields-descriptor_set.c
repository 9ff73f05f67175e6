// An event loop that each start makes, and that the load puts a timer into that
// points to it, comes back whole. The descriptors that it waited for are not those of this start: an
// fd_set is empty in the next run.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load program.c > out
// RUN: FileCheck %s --input-file out
// CHECK-DAG: comes-back-whole {{.*}}loop leads to struct loop, created by each start before the load
// CHECK-DAG: holds-descriptor {{.*}}loop.wanted is a set of descriptors of open files: a restart makes it empty
// CHECK-DAG: holds-descriptor {{.*}}loop.both is a set of descriptors of open files: a restart leaves it unchanged
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c --check-prefix=TEXT
// TEXT:      NVM_DESCRIPTOR(struct loop, wanted),
// TEXT-NEXT: NVM_FIELD(struct loop, both));
// RUN: gcc -I %runtime_include program.c %runtime_lib -o app
// RUN: printf '7' > data
// RUN: printf 'aax' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: printf 'a' | env NVM_POOL=%t/pool ./app > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG: 10: new

//--- program.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/select.h>
#include <unistd.h>

struct timer {
  struct timer *next;
  struct loop *of;
  int due;
};
struct loop {
  struct timer *timers;
  fd_set wanted, both[2];
};
static struct loop *loop;

static void load(void) {
  int due;
  FILE *f = fopen("data", "r");
  if (!f)
    return;
  while (fscanf(f, "%d", &due) == 1) {
    struct timer *t = malloc(sizeof *t);
    if (!t)
      abort();
    t->due = due;
    t->of = loop;
    t->next = loop->timers;
    loop->timers = t;
  }
  fclose(f);
}
static void want(int fd) {
  fd_set now = loop->wanted;
  if (FD_ISSET(fd, &now)) {
    puts("known");
    return;
  }
  printf("%d: new\n", loop->timers->due);
  FD_SET(fd, &now);
  loop->wanted = now;
}
static void command(int c) {
  if (c == 'x')
    kill(getpid(), SIGKILL);
  loop->timers->due++;
  want(0);
}
int main(void) {
  int c;
  loop = calloc(1, sizeof *loop);
  if (!loop)
    abort();
  load();
  while ((c = getchar()) != EOF)
    command(c);
  return 0;
}
