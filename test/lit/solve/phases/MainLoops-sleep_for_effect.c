// The program waits for what is typed, and sleeps here and there for an effect:
// the sections are what the loop calls, and what reads.
//
// RUN: cd %S && %nvmove --load load --analyze-only --force --out %t.out %s > %t.log
// RUN: FileCheck %s --input-file %t.log --implicit-check-not=store-outside-section
// CHECK: 2 suggested sections
// CHECK-DAG: look dispatcher
// CHECK-DAG: drop dispatcher
//
// It sleeps in the loop itself, and now and then asks for a password: a daemon.
// RUN: %nvmove --load load --analyze-only --force --out %t.out %s -- -DDAEMON > %t.log
// RUN: FileCheck %s --input-file %t.log --check-prefix=DAEMON
// DAEMON: 1 suggested section
// DAEMON-NEXT: parse dispatcher

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct item { struct item *next; int kind, where; };
static struct item *items;
static int here, hp;
static char out[200];
static int used;
static void say(const char *s) { while (*s && used < 199) out[used++] = *s++; }
static void flush(void) { write(1, out, used); used = 0; }
static void nap(int n) { flush(); sleep(n); }
static void drink(struct item *i) { i->kind = 0; hp++; }
static void fountain(struct item *i) {
  say("you drink\n");
  nap(1);
  drink(i);
  say("it is dry now\n");
  i->where++;
}
static void look(void) {
  struct item *i;
  for (i = items; i; i = i->next)
    if (i->where == here) {
      say("something is here\n");
      if (i->kind == 1) fountain(i);
      else i->kind++;
    }
}
static int key(void) { char c; flush(); return read(0, &c, 1) == 1 ? c : 'q'; }
static void drop(void) {
  struct item *i = malloc(sizeof *i);
  if (!i) abort();
  i->kind = 1;
  i->where = here;
  i->next = items;
  items = i;
}
static int command(void) { return key(); }
static int word(void) { return command(); }
static void parse(void) {
  switch (word()) {
  case 'l': here++; break;
  case 'h': here--; break;
  case 'd': drop(); break;
  case 'q': exit(0);
  }
}
static void load(const char *name) {
  int k, w;
  FILE *f = fopen(name, "r");
  if (!f) return;
  if (fscanf(f, "%d %d", &here, &hp) == 2)
    while (fscanf(f, "%d %d", &k, &w) == 2) {
      drop();
      items->kind = k;
      items->where = w;
    }
  fclose(f);
}
int main(int argc, char **argv) {
  load(argv[1]);
#ifdef DAEMON
  while (1) {
    sleep(60);
    parse();
  }
#endif
#ifndef DAEMON
  while (1) {
    look();
    parse();
  }
#endif
}
