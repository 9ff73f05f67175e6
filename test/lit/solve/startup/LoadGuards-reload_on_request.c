// A function that loads at start-up, and in the main loop when a signal asks
// for it: the guard stands around its call at start-up, and what is asked for
// is done after a restart, too. Where the function does more, or start-up shares
// more of its way to the load with the request, the guard asks whether this is the
// start-up; where start-up loads more than once, this is told.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --load load t.c > log
// RUN: not grep load-on-request log
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: grep -v '^//' t.c | FileCheck %s --check-prefix=CODE --implicit-check-not=NVM_LOAD --implicit-check-not=nvm_restore
// RUN: %nvmove verify --load load t.c
// RUN: gcc -I %runtime_include t.c %runtime_lib -o t
// RUN: echo 1 > state
// RUN: printf '2\n3\nx\n' | not --crash env NVM_POOL=%t/pool NVM_SIZE=64M ./t
// RUN: echo 7 > state
// RUN: printf 'p\n' | env NVM_POOL=%t/pool ./t > second
// RUN: printf 'h\np\n' | env NVM_POOL=%t/pool ./t >> second
// RUN: FileCheck %s --input-file second --check-prefix=SECOND
// RUN: cp %s t.c
// RUN: %nvmove --load load --out more t.c -- -DMORE > log
// RUN: not grep load-on-request log
// RUN: sh %S/../../rewrite/Inputs/apply more/patches %runtime_include t.c
// RUN: grep -v '^//' t.c | FileCheck %s --check-prefix=MORE
// RUN: %nvmove verify --load load t.c -- -DMORE
// RUN: gcc -DMORE -I %runtime_include t.c %runtime_lib -o t
// RUN: rm pool && echo 1 > state
// RUN: printf '2\n3\nh\np\n4\nx\n' | not --crash env NVM_POOL=%t/pool NVM_SIZE=64M ./t
// RUN: echo 7 > state
// RUN: printf 'p\n' | env NVM_POOL=%t/pool ./t > second
// RUN: printf 'h\np\n' | env NVM_POOL=%t/pool ./t >> second
// RUN: FileCheck %s --input-file second --check-prefix=THIRD
// RUN: cp %s t.c
// RUN: %nvmove_act --load load --out twice t.c -- -DMORE -DTWICE | FileCheck %s --check-prefix=TWICE
// CODE: return load();
// CODE: {{ }}do_reload("asked");
// CODE: if (!NVM_LOAD_OR(do_reload("start"), 0, 1)) exit(2);
// SECOND: 3 2 1
// SECOND-NEXT: 7
// MORE: return NVM_RELOAD_OR(load(), 0, 1);
// THIRD: 4 1
// THIRD-NEXT: 7
// TWICE: load-on-request {{.*}}the main loop may run do_reload, too, which then does not load what it is asked to
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct item { struct item *next; int n; };
static struct item *items;
static const char *reason = "";
static volatile sig_atomic_t hup;

static void on_hup(int signal) { hup = signal; }
static void add(int n) {
  struct item *i = malloc(sizeof *i);
  i->n = n;
  i->next = items;
  items = i;
}
static int load(void) {
  FILE *f = fopen("state", "r");
  int n;
  if (!f)
    return 0;
  while (items) {
    struct item *i = items;
    items = i->next;
    free(i);
  }
  while (fscanf(f, "%d", &n) == 1)
    add(n);
  fclose(f);
  return 1;
}
static int do_reload(const char *why) {
#ifdef MORE
  reason = why;
#endif
  fprintf(stderr, "%s%s\n", reason, why);
  return load();
}
static void command(char *line) {
  if (*line == 'p') {
    for (struct item *i = items; i; i = i->next)
      printf("%d%c", i->n, i->next ? ' ' : '\n');
  } else if (*line == 'h' || *line == 'x') {
    raise(*line == 'h' ? SIGHUP : SIGKILL);
  } else {
    add(atoi(line));
  }
}
static void signalled(void) {
  hup = 0;
  do_reload("asked");
}
int main(void) {
  char line[80];
  signal(SIGHUP, on_hup);
  if (!do_reload("start")) exit(2);
#ifdef TWICE
  if (!do_reload("again")) exit(2);
#endif
  while (fgets(line, sizeof line, stdin)) {
    if (hup) signalled();
    command(line);
  }
  return 0;
}
