// What the load says to people is not followed: the queue of the log holds no
// saved state.
//
// RUN: rm -rf %t && mkdir %t && cp %s %t/m.c && cd %t
// RUN: %nvmove --notes --load load --out said m.c > said.log
// RUN: %nvmove --load load --print types m.c | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// RUN: FileCheck %s --input-file said.log --check-prefix=TOLD
// RUN: %nvmove explain line --load load m.c | FileCheck %s --check-prefix=WHY
//
// CHECK: item
// TOLD: message-not-followed not followed: what the load prints or logs with say is assumed to be a message and not to restore anything
// WHY: struct line is not persistent
// WHY: no followed call leads from load to a function that allocates or writes it; say
//
// Followed: when that is asked for; when it is handed text of the file; when
// the load alone says something by it; when the load goes on with what it
// leaves; when most of its calls say no phrase; and when it could put something
// elsewhere.
//
// RUN: %nvmove --load load --follow-messages --print types m.c > followed
// RUN: FileCheck %s --input-file followed --match-full-lines --implicit-check-not={{.}} --check-prefix=ALL
// RUN: %nvmove --load load --print types m.c -- -DTEXT | diff - followed
// RUN: %nvmove --load load --print types m.c -- -DFEW | diff - followed
// RUN: %nvmove --load load --print types m.c -- -DLEFT | diff - followed
// RUN: %nvmove --load load --print types m.c -- -DNAMES | diff - followed
// RUN: %nvmove --load load --print types m.c -- -DPLACE | diff - followed
//
// ALL-DAG: item
// ALL-DAG: line
//
// Text that is no phrase, but not of the file, is said as well.
//
// RUN: %nvmove --load load --print types m.c -- -DOTHER | FileCheck %s --match-full-lines --implicit-check-not={{.}}
//
// It may be handed a static, such as that of the module or of the rate, in which
// it counts; but not hang something there, nor be handed what is allocated.
//
// RUN: %nvmove --load load --print types m.c -- -DMODULE | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types m.c -- -DMODULE -DHANGS | FileCheck %s --check-prefix=HANGS
// RUN: %nvmove --load load --print types m.c -- -DMODULE -DMADE | FileCheck %s --check-prefix=HANGS
// HANGS: line

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef NAMES
#define SAY(phrase, name) say(name)
#else
#define SAY(phrase, name) say(phrase)
#endif

struct item { int v; struct item *next; };
struct line { struct line *next; char text[80]; };
static struct item *items;
static struct line *queue;
int sink;
int *place = &sink;

#ifdef PLACE
static void say(FILE *log, const char *format, ...) {
#define say(...) say(stderr, __VA_ARGS__)
#elif defined MODULE
struct module { const char *name; int said; struct line *last; };
static struct module own;
#ifdef MADE
static struct module *this_module;
#else
#define this_module (&own)
#endif
static void say(struct module *module, const char *format, ...) {
#define say(...) say(this_module, __VA_ARGS__)
  if (++module->said > 100)
    puts(module->name);
#else
static void say(const char *format, ...) {
#endif
  struct line *l = malloc(sizeof *l);
  va_list ap;
  va_start(ap, format);
  vsnprintf(l->text, sizeof l->text, format, ap);
  va_end(ap);
  l->next = queue;
  queue = l;
#ifdef HANGS
  module->last = l;
#endif
}

static void add(int), drop(int), show(int);
void load(FILE *f) {
  int v;
  char text[80];
  while (fscanf(f, "%d", &v) == 1) {
    struct item *i = malloc(sizeof *i);
    if (v < 0)
      say("number %d is below zero", v);
    i->v = v;
    i->next = items;
    items = i;
  }
#ifdef TEXT
  while (fgets(text, sizeof text, f))
    say(text);
#endif
#ifdef OTHER
  snprintf(text, sizeof text, "nothing more");
  say(text);
#endif
#ifdef FEW
  add(v);
  drop(v);
  show(v);
#endif
#ifdef LEFT
  if (queue)
    puts(queue->text);
#endif
}

static void add(int v) {
  if (v < 0)
    SAY("cannot add that", "add");
  else
    SAY("this one is added", "added");
  SAY("now there is one more", "more");
}
static void drop(int v) { SAY("dropped one of them", "drop"); }
static void show(int v) {
  SAY("here they are", "show");
  SAY("the last of them is %d", "last");
}
int main(void) {
  char c[8];
  FILE *f = fopen("items", "r");
#ifdef MADE
  this_module = malloc(sizeof *this_module);
  memset(this_module, 0, sizeof *this_module);
#endif
  if (f)
    load(f);
  say("ready to take commands");
  while (fgets(c, sizeof c, stdin)) {
    add(atoi(c));
    drop(0);
    show(0);
    for (struct item *i = items; i; i = i->next)
      sink += i->v;
    for (struct line *l = queue; l; l = l->next)
      puts(l->text);
  }
  return 0;
}
