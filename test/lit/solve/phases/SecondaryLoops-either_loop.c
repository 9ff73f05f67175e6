// Two loops of which one runs, and which wait otherwise: what either does is
// kept, what they call on a signal is no load at start-up. Where it is not seen
// that one of them runs, this is told.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove_act --notes --load load --out told t.c -- -DTOLD > log
// RUN: FileCheck %s --input-file log --check-prefix=TOLD
// RUN: FileCheck %s --input-file told/patches/1-roots.patch --check-prefix=CODE --implicit-check-not=NVM_LOAD --implicit-check-not=nvm_restore
// RUN: %nvmove --notes --load load --out behind t.c -- -DBEHIND > log
// RUN: not grep -e store-outside-section -e loop-without log
// RUN: FileCheck %s --input-file behind/patches/1-roots.patch --check-prefix=CODE --implicit-check-not=NVM_LOAD --implicit-check-not=nvm_restore
// RUN: FileCheck %s --input-file behind/patches/3-sections.patch --check-prefix=ONE
// RUN: %nvmove --notes --load load t.c > log
// RUN: not grep -e store-outside-section -e loop-without log
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: grep -v '^//' t.c | FileCheck %s --check-prefix=CODE --implicit-check-not=NVM_LOAD --implicit-check-not=nvm_restore
// RUN: %nvmove verify --load load t.c
// RUN: gcc -I %runtime_include t.c %runtime_lib -o t
// RUN: echo 1 > state
// RUN: printf '23x' | not --crash env NVM_POOL=%t/pool NVM_SIZE=64M ./t
// RUN: printf '45x' | not --crash env NVM_POOL=%t/pool ./t many
// RUN: printf '6px' | not --crash env NVM_POOL=%t/pool ./t > again
// RUN: printf 'hp' | not --crash env NVM_POOL=%t/pool ./t >> again
// RUN: FileCheck %s --input-file again --check-prefix=AGAIN
// TOLD: loop-without-section {{.*}}this loop after the load waits or reads, but is not the main loop, and may change persistent state outside of sections
// CODE: if (!NVM_LOAD_OR(load(), 0, 1))
// ONE: void serve_one(int fd)
// ONE: nvm_begin();
// ONE: request(fd);
// ONE: nvm_end();
// AGAIN: 6 5 4 3 2 1
// AGAIN: 1
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct item { struct item *next; int n; };
static struct item *items;
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
static void show(void) {
  for (struct item *i = items; i; i = i->next)
    printf("%d ", i->n);
  printf("\n");
  fflush(stdout);
}
static void request(int fd) {
  char c;
  if (read(fd, &c, 1) <= 0)
    abort();
  if (c == 'p')
    show();
  else if (c == 'h' || c == 'x')
    raise(c == 'h' ? SIGHUP : SIGKILL);
  else
    add(c - '0');
}
static void signalled(void) {
  hup = 0;
  load();
}
static void serve_one(int fd) {
  while (hup != SIGTERM) {
    if (hup) signalled();
    request(fd);
  }
}
static void serve_many(int fd) {
  while (hup != SIGTERM) {
    struct pollfd p = {.fd = fd, .events = POLLIN};
    if (hup) signalled();
    if (poll(&p, 1, -1) > 0) request(fd);
  }
}
int main(int argc, char **argv) {
  int fd = dup(0);
  (void)argv;
  signal(SIGHUP, on_hup);
  if (!load())
    return 2;
#ifdef TOLD
  argc == 1 ? serve_one(fd) : serve_many(fd);
#elif defined BEHIND
  if (argc == 1)
    for (;;)
      serve_one(fd);
  serve_many(fd);
#else
  if (argc == 1)
    serve_one(fd);
  else
    serve_many(fd);
#endif
  return 0;
}
