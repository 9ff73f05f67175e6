// The first message of the load starts the log, which adds its commands to a
// table: each process does that when it says something for the first time. No
// command is loaded, nor how many there are.
//
// RUN: %nvmove --load load --print types %s > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types %s -- -DONCE > %t.once
// RUN: FileCheck %s --input-file %t.once --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types %s -- -DRECORD > %t.record
// RUN: FileCheck %s --input-file %t.record --match-full-lines --implicit-check-not={{.}}
// RUN: rm -rf %t.out && %nvmove --notes --load load --out %t.out %s > %t.said
// RUN: FileCheck %s --input-file %t.said --check-prefix=SAID
// CHECK: item
// SAID-NOT: restored scalars
// SAID: set-up-not-followed not followed: add_command() sets up what the load is the first to use
//
// It is loaded where the load also puts something of its own there, or goes
// through the table, or hands over what it has read; where nobody else starts
// the log; where the flag is set back; where nothing is tested; and where the
// commands are read.
//
// RUN: %nvmove --load load --print types %s -- -DADDS | FileCheck %s --check-prefix=COMMAND
// RUN: %nvmove --load load --print types %s -- -DWALKS | FileCheck %s --check-prefix=COMMAND
// RUN: %nvmove --load load --print types %s -- -DHANDS | FileCheck %s --check-prefix=COMMAND
// RUN: %nvmove --load load --print types %s -- -DALONE | FileCheck %s --check-prefix=COMMAND
// RUN: %nvmove --load load --print types %s -- -DBACK | FileCheck %s --check-prefix=COMMAND
// RUN: %nvmove --load load --print types %s -- -DUNTESTED | FileCheck %s --check-prefix=COMMAND
// RUN: %nvmove --load load --print types %s -- -DREADS | FileCheck %s --check-prefix=COMMAND
// COMMAND: command

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct item {
  struct item *next;
  int number;
};
struct command {
  struct command *next;
  const char *name;
};
static struct item *items;
static struct command *commands;
static int many;

static void add_command(const char *name) {
  struct command *c = malloc(sizeof *c);
  c->name = name;
#ifdef READS
  static char text[20];
  FILE *f = fopen("commands", "r");
  if (f && fgets(text, sizeof text, f))
    c->name = text;
#endif
  c->next = commands;
  commands = c;
  many++;
}

#ifdef HANDS
#define LEVEL name
#define HANDED(text) (text)
static void start_log(const char *name)
#else
#define LEVEL "log/level"
#define HANDED(text) ()
static void start_log(void)
#endif
#ifdef ONCE
{
  add_command(LEVEL);
}
static void log_number(int number) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start_log);
  printf("%d\n", number);
}
#else
;
#ifdef RECORD
struct once {
  int done, users;
};
static int once_start(struct once *once) {
  if (once->done)
    return 0;
  return 1;
}
static void once_end(struct once *once) { once->done = 1; }
static void start_log(void) {
  static struct once once;
  if (once_start(&once)) {
    once_end(&once);
    add_command(LEVEL);
  }
}
#else
static int started;
static void start_log(
#ifdef HANDS
    const char *name
#else
    void
#endif
) {
#ifndef UNTESTED
  if (!started)
#endif
  {
    started = 1;
    add_command(LEVEL);
  }
}
#endif
static void log_number(int number) {
#ifdef HANDS
  static char text[20];
  snprintf(text, sizeof text, "%d", number);
#endif
  start_log HANDED(text);
  printf("%d\n", number);
}
#endif

void load(FILE *f) {
  int number;
  while (fscanf(f, "%d", &number) == 1) {
    struct item *i = malloc(sizeof *i);
    i->number = number;
    i->next = items;
    items = i;
    if (number < 0)
      log_number(number);
#ifdef ADDS
    if (number == 7)
      add_command("seven");
#endif
#ifdef WALKS
    for (struct command *c = commands; c; c = c->next)
      number++;
    i->number = number;
#endif
  }
}

int main(void) {
  int c;
  FILE *f = fopen("items", "r");
  if (f)
    load(f);
  while ((c = getchar()) != EOF) {
#ifdef BACK
    if (c == 'b')
      started = 0;
#endif
#ifndef ALONE
    if (c == 'l')
      log_number(c);
#endif
    for (struct command *k = commands; k; k = k->next)
      puts(k->name);
    for (struct item *i = items; i; i = i->next)
      i->number++;
  }
  return 0;
}
