// A record that each start makes, with its text behind it in the same block: the
// pointer to the text leads into the record of the last run, so it is not
// brought back; what the load may write there is told. Where the text has a
// block of its own, the pointer comes back.
//
// RUN: %nvmove_act --load load --out %t --force %s | FileCheck %s
// CHECK: 1 root
// CHECK-NEXT: list
// CHECK: head-not-kept{{ +}}greeting->text is not kept: it may point into the record itself, which each start creates anew
// RUN: %nvmove_act --load load --out %t --force %s -- -DAPART | FileCheck %s --check-prefix=APART
// APART: 2 roots
// APART-NEXT: greeting->text
// APART-NEXT: list
// APART-NOT: head-not-kept
//
// The evidence names the store.
// RUN: %nvmove explain --out %t 'greeting->text' | FileCheck %s --check-prefix=WHY
// WHY: load writes bytes, created before the load
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct said {
  int uses;
  char *text;
};
struct item {
  struct item *next;
  char line[16];
};
static struct said *greeting;
static struct item *list;
static struct said *say(const char *text) {
#ifdef APART
  struct said *s = malloc(sizeof *s);
  if (!s || !(s->text = malloc(16)))
    exit(1);
#else
  struct said *s = malloc(sizeof *s + 16);
  if (!s)
    exit(1);
  s->text = (char *)(s + 1);
#endif
  s->uses = 1;
  strncpy(s->text, text, 15);
  return s;
}
static void load(void) {
  char line[16];
  FILE *f = fopen("items", "r");
  if (!f)
    return;
  while (fgets(line, sizeof line, f)) {
    struct item *i = malloc(sizeof *i);
    if (!i)
      exit(1);
    strcpy(i->line, line);
    i->next = list;
    list = i;
    greeting->text[0] = line[0];
  }
  fclose(f);
}
int main(void) {
  char line[16];
  greeting = say("hello");
  load();
  while (fgets(line, sizeof line, stdin))
    for (struct item *i = list; i; i = i->next)
      printf("%s %s", greeting->text, i->line);
}
