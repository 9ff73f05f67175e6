// What the load sets up of the process is not there after a restart: the load
// is skipped. The advice is followed in the second form: a function that main
// calls behind the load does it at each start. What the load undoes itself, and
// what is only asked for, is no matter.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c && echo 'TZ UTC LANG xx' > state
// RUN: %nvmove_act --notes --load load t.c | FileCheck %s --check-prefix=FOUND
// RUN: %nvmove --notes --load load --force t.c -- -DFOLLOWED > log
// RUN: FileCheck %s --input-file log --implicit-check-not=load-changes
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: gcc -DFOLLOWED -I %runtime_include t.c %runtime_lib -lpthread -o t
// RUN: printf 'LANG 7\n' | env NVM_POOL=%t/pool NVM_SIZE=64M ./t > first
// RUN: printf 'TZ 9\n' | env NVM_POOL=%t/pool ./t > second
// RUN: FileCheck %s --input-file first --check-prefix=TWICE
// RUN: FileCheck %s --input-file second --check-prefix=TWICE
//
// FOUND: load-changes-process{{ +}}the load also changes the process, by setenv() (t.c:[[#]]), umask() (t.c:[[#]]), pthread_create() (t.c:[[#]]): a later start
// FOUND: load-changes-process{{ +}}the load takes gate and returns with it held
// CHECK: 1 root
// TWICE: TZ=UTC LANG=xx 0 {{49|81}}
#define _GNU_SOURCE
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct setting {
  struct setting *next;
  char name[16], value[16];
};
static struct setting *settings;
static int asked[2], answered[2];
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *square(void *nothing) {
  int n;
  while (read(asked[0], &n, sizeof n) == sizeof n) {
    n *= n;
    if (write(answered[1], &n, sizeof n) != sizeof n)
      break;
  }
  return nothing;
}

static void set_up(void) {
  pthread_t worker;
  umask(0);
  pthread_create(&worker, NULL, square, NULL);
}

static FILE *open_privately(void) {
  FILE *in;
  sigset_t all, before;
  mode_t old = umask(077);
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  in = fopen("state", "r");
  sigprocmask(SIG_SETMASK, &before, NULL);
  umask(old);
  if (!setlocale(LC_ALL, NULL))
    return NULL;
  return in;
}

static void load(void) {
  char name[16], value[16];
  FILE *in = open_privately();
#ifndef FOLLOWED
  set_up();
  pthread_mutex_lock(&gate);
#endif
  while (in && fscanf(in, "%15s %15s", name, value) == 2) {
    struct setting *s = malloc(sizeof *s);
    strcpy(s->name, name);
    strcpy(s->value, value);
    s->next = settings;
    settings = s;
#ifndef FOLLOWED
    setenv(s->name, s->value, 1);
#endif
  }
  if (in)
    fclose(in);
}

#ifdef FOLLOWED
static void apply(void) {
  struct setting *s;
  set_up();
  pthread_mutex_lock(&gate);
  for (s = settings; s; s = s->next)
    setenv(s->name, s->value, 1);
}
#endif

int main(void) {
  char name[16];
  int n;
  unsigned mask;
  if (pipe(asked) || pipe(answered))
    return 1;
  load();
#ifdef FOLLOWED
  apply();
#endif
  while (scanf("%15s %d", name, &n) == 2) {
    if (write(asked[1], &n, sizeof n) != sizeof n ||
        read(answered[0], &n, sizeof n) != sizeof n)
      return 1;
    mask = umask(0);
    printf("TZ=%s LANG=%s %o %d\n", getenv("TZ"), getenv("LANG"), mask, n);
    for (struct setting *s = settings; s; s = s->next)
      if (!strcmp(s->name, name))
        s->value[15] = 0;
  }
  return 0;
}
