// What handlers alone make may hold functions of the program: an undo list with
// the function that takes the change back, and the length of a text. It is asked about, and comes back
// where the advice is followed. A function of the library is no such thing.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.c && echo hello > data
// RUN: %nvmove_act --load load app.c | FileCheck %s --check-prefix=ASKED
// RUN: %nvmove_act --load load --keep undos --force app.c -- -DLIBRARY | FileCheck %s --check-prefix=LIBRARY
// RUN: %nvmove --load load --keep undos --force app.c > out
// RUN: FileCheck %s --input-file out --implicit-check-not=with-state
// RUN: cp %s plain.c && gcc plain.c -o plain && sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'aX\naY\nd1\n?\nu\n?\nu\n?\nu\n?\n' | ./plain > want
// RUN: printf 'aX\naY\nd1\n?\nx\n' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: printf 'u\n?\nx\n' | env NVM_POOL=%t/pool not --crash ./app >> log
// RUN: printf 'u\n?\nu\n?\n' | env NVM_POOL=%t/pool ./app >> log
// RUN: diff want log
//
// ASKED: lost-with-state {{.*}}undos is changed by handlers, here together with persistent state
// LIBRARY: cannot-keep {{.*}}undos may point to what ends with the process
// CHECK: undo {{.*}}a handler allocates it, and undos points to it
// CHECK: undos

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct doc { char *s; };
struct undo { struct undo *next; void (*back)(struct doc *, struct undo *); char *text; size_t length; void (*drop)(void *); };
static struct doc *doc;
static struct undo *undos;

static void set(struct doc *d, const char *s) {
  char *copy = malloc(strlen(s) + 1);
  strcpy(copy, s);
  free(d->s);
  d->s = copy;
}
static void load(const char *name) {
  char line[64] = "";
  FILE *f = fopen(name, "r");
  doc = calloc(1, sizeof *doc);
  if (f && fgets(line, sizeof line, f))
    line[strcspn(line, "\n")] = 0;
  set(doc, line);
  if (f)
    fclose(f);
}
static void back_to(struct doc *d, struct undo *u) { set(d, u->text); }
static void cut_last(struct doc *d, struct undo *u) {
  d->s[u->length] = 0;
}
static struct undo *note(void (*back)(struct doc *, struct undo *)) {
  struct undo *u = calloc(1, sizeof *u);
  u->back = back;
#ifdef LIBRARY
  u->drop = free;
#endif
  u->next = undos;
  return undos = u;
}
static void handle(const char *line) {
  char text[128];
  struct undo *u;
  if (line[0] == 'a') {
    snprintf(text, sizeof text, "%s%c", doc->s, line[1]);
    u = note(cut_last);
    u->length = strlen(doc->s);
    set(doc, text);
  } else if (line[0] == 'd') {
    u = note(back_to);
    u->text = strdup(doc->s);
    set(doc, "");
  } else if (line[0] == 'u' && (u = undos)) {
    undos = u->next;
    u->back(doc, u);
    free(u->text);
    free(u);
  } else if (line[0] == '?') {
    printf("[%s]\n", doc->s);
    fflush(stdout);
  }
}
int main(void) {
  char line[64];
  load("data");
  while (fgets(line, sizeof line, stdin)) {
    if (line[0] == 'x')
      raise(SIGKILL);
    handle(line);
  }
  return 0;
}
