// What the load lets out is not let out after a restart: the load is skipped.
// The advice is followed in the second form: a function that goes through the
// objects is called behind the load, at each start. What goes to stderr, to a
// file that is appended to, or to a file that the load itself opens is a log, or
// stays; what goes to stdout is a question, or no longer one where handlers tell
// what records hold by the same call. What a flag keeps back while the
// state is loaded is not let out then.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c && echo 'ann bob' > state
// RUN: %nvmove_act --notes --load load t.c | FileCheck %s --check-prefix=FOUND --implicit-check-not=load-lets-out
// RUN: %nvmove_act --notes --load load --force t.c -- -DCOMMAND | FileCheck %s --check-prefix=COMMAND
// RUN: %nvmove_act --notes --load load --force t.c -- -DPRINTED | FileCheck %s --check-prefix=PRINTED
// RUN: %nvmove --notes --load load --force t.c -- -DPRINTED -DASKED | FileCheck %s --check-prefix=ASKED
// RUN: %nvmove --notes --load load --force t.c -- -DFOLLOWED > log
// RUN: FileCheck %s --input-file log --implicit-check-not=load-lets-out
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: gcc -DFOLLOWED -I %runtime_include t.c %runtime_lib -o t
// RUN: echo cid | env NVM_POOL=%t/pool NVM_SIZE=64M ./t && FileCheck %s --input-file peer --check-prefix=FIRST
// RUN: echo dan | env NVM_POOL=%t/pool ./t && FileCheck %s --input-file peer --check-prefix=SECOND
//
// FOUND: load-lets-out{{ +}}the load also lets something out, by fprintf() (t.c:[[#]]): a later start skips the load, and does not repeat that (in tell)
// COMMAND: load-lets-out{{ +}}the load also lets something out, by system() (t.c:[[#]])
// PRINTED: 1 finding to act on
// PRINTED: load-lets-out{{ +}}the load also lets something out, by printf() (t.c:[[#]])
// PRINTED-NEXT: move these calls into a function
// ASKED: 1 finding to check
// ASKED: load-lets-out{{ +}}the load also lets something out, by printf() (t.c:[[#]])
// ASKED-NEXT: does anybody rely on it?
// CHECK: 1 root
// FIRST: bob
// FIRST-NEXT: ann
// FIRST-NEXT: cid
// SECOND: cid
// SECOND-NEXT: bob
// SECOND-NEXT: ann
// SECOND-NEXT: dan
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct host {
  struct host *next;
  char name[40];
};
static struct host *blocked;
static FILE *peer, *messages;
static int is_loading = 1;
int verbose;

static void mail(const char *name) {
  char command[80] = "exit ";
  if (is_loading)
    return;
  if (system(strcat(command, name)))
    fputs("not sent\n", stderr);
}

static void add(const char *name) {
  struct host *h = malloc(sizeof *h);
  strcpy(h->name, name);
  h->next = blocked;
  blocked = h;
  mail(name);
}

static void tell(const struct host *h) {
#ifdef COMMAND
  char command[80] = "exit ";
  if (system(strcat(command, h->name)))
    return;
#elif defined ASKED
  if (verbose)
    printf("%s\n", h->name);
#elif defined PRINTED
  printf("%s\n", h->name);
#else
  fprintf(peer, "%s\n", h->name);
  fflush(peer);
#endif
}

static void log_host(const char *name) {
  fprintf(stderr, "loaded %s\n", name);
  fprintf(messages, "loaded %s\n", name);
}

static void load(void) {
  FILE *in = fopen("state", "r"), *copy = fopen("state.old", "w");
  char name[40];
  while (in && fscanf(in, "%39s", name) == 1) {
    add(name);
    log_host(name);
    if (copy)
      fprintf(copy, "%s\n", name);
#ifndef FOLLOWED
    tell(blocked);
#endif
  }
  if (in)
    fclose(in);
  if (copy)
    fclose(copy);
}

int main(void) {
  char line[40];
  peer = fopen("peer", "w");
  messages = fopen("messages", "a");
  verbose = getenv("VERBOSE") != NULL;
  if (!peer || !messages)
    return 1;
  load();
  is_loading = 0;
#ifdef FOLLOWED
  for (struct host *h = blocked; h; h = h->next)
    tell(h);
#endif
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    add(line);
    tell(blocked);
  }
  return 0;
}
