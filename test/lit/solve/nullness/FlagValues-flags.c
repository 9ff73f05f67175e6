// A flag that is zero until the load has ended keeps back what stands behind
// it: what sets it runs only behind it.
//
// RUN: cd %S
// RUN: %nvmove --load load --print types FlagValues-flags.c -- -std=gnu99 | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types FlagValues-flags.c -- -std=gnu99 -DSTART=0 | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// CHECK: item
//
// Not when it starts as something else, is set before the load or by it, its
// address is known, or a library may set it, by itself or by a function that it
// was handed; not a bound below which a number
// may be that comes from elsewhere.
// RUN: %nvmove --load load --print types FlagValues-flags.c -- -std=gnu99 -DSTART=1 | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types FlagValues-flags.c -- -std=gnu99 -DBEFORE | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types FlagValues-flags.c -- -std=gnu99 -DBY_LOAD | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types FlagValues-flags.c -- -std=gnu99 -DBY_ADDRESS | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types FlagValues-flags.c -- -std=gnu99 -DBY_SIGNAL | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types FlagValues-flags.c -- -std=gnu99 -DBY_OPTION | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types FlagValues-flags.c -- -std=gnu99 -DBY_LIBRARY | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types FlagValues-flags.c -- -std=gnu99 '-DFIRST=atoi("-1")' | FileCheck %s --check-prefix=ALL
// ALL: item
// ALL-NEXT: line
//
// It is told.
// RUN: %nvmove_act --notes --load load --analyze-only --force --out %t.out FlagValues-flags.c -- -std=gnu99 | FileCheck %s --check-prefix=TOLD
// TOLD: not-yet-filled not followed: until the load has ended, a pointer or a flag on the path to it is not set,
#include <argp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct item {
  struct item *next;
  int n;
};
struct line {
  struct line *next;
};
static struct item *items;
static struct line *screen;
#ifdef START
static int squished = START;
#elif defined BY_LIBRARY
extern int squished;
#else
static int squished;
#endif
#ifndef FIRST
#define FIRST 0
#endif
static unsigned lines;
static int readers;

static void draw(void) {
  struct line *l = malloc(sizeof *l);
  l->next = screen;
  screen = l;
  squished = 1;
  lines++;
}

static void add(int n) {
  struct line *l = malloc(sizeof *l);
  l->next = screen;
  screen = l;
  readers = n;
}

static void warn(const char *why) {
  puts(why);
  if (squished) {
    squished = 0;
    draw();
  }
  if (lines > 0)
    draw();
  for (int i = FIRST; i < readers; i++)
    add(i);
}

static void load(FILE *f) {
  int n;
#ifdef BY_ADDRESS
  if (fscanf(f, "%d", &squished) != 1)
    return;
#endif
  while (fread(&n, sizeof n, 1, f) == 1) {
#ifdef BY_LOAD
    squished = n & 1;
#endif
    if (n < 0)
      warn("odd");
    struct item *i = malloc(sizeof *i);
    i->n = n;
    i->next = items;
    items = i;
  }
}

static void stop(int why) { squished = why; }

static error_t option(int key, char *value, struct argp_state *state) {
  if (key == 's')
    squished = 1;
  return 0;
}
static struct argp argp = {.parser = option};

int main(int argc, char **argv) {
#ifdef BEFORE
  stop(getchar());
#elif defined BY_SIGNAL
  signal(SIGINT, stop);
#elif defined BY_OPTION
  argp_parse(&argp, argc, argv, 0, 0, 0);
#endif
  load(stdin);
  for (int c; (c = getchar()) != EOF;)
    draw();
  stop(items != 0);
}
