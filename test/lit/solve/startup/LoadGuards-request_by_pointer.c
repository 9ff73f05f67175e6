// The load runs on request, by handlers that are called through pointers. What
// start-up calls through such a pointer, too (waiters are told that all is new),
// is no load at start-up: no call in what handlers run is skipped, or given the
// result of an earlier one, and it is told that nothing was guarded.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove_act --load load --out out p.c > log
// RUN: FileCheck %s --input-file log --implicit-check-not=load-on-request --implicit-check-not=load-runs-again
// CHECK: 1 root
// CHECK-NEXT: pages
// CHECK: load-not-guarded {{.*}}no call on the path from main calls only load functions
// RUN: not grep NVM_LOAD -r out/patches
// RUN: not grep nvm_restore -r out/patches
//--- p.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct page { struct page *next; char name[16], text[64]; };
struct waiter { struct waiter *next; int (*tell)(struct waiter *, const char *); int told; };
static struct page *pages;
static struct waiter *waiters;
int load(const char *name) {
  char path[64];
  snprintf(path, sizeof path, "%s.page", name);
  FILE *f = fopen(path, "r");
  if (!f)
    return -1;
  struct page *p = calloc(1, sizeof *p);
  strncpy(p->name, name, 15);
  if (!fgets(p->text, sizeof p->text, f))
    p->text[0] = 0;
  fclose(f);
  p->next = pages;
  pages = p;
  return 0;
}
static struct page *find(const char *name) {
  struct page *p = pages;
  while (p && strcmp(p->name, name))
    p = p->next;
  return p;
}
static int show(struct waiter *w, const char *name) {
  w->told++;
  if (!find(name))
    return load(name);
  puts(find(name)->text);
  return 0;
}
static void tell_all(const char *name) {
  for (struct waiter *w = waiters; w; w = w->next)
    w->tell(w, name);
}
static void wait_for(int (*tell)(struct waiter *, const char *)) {
  struct waiter *w = calloc(1, sizeof *w);
  w->tell = tell;
  w->next = waiters;
  waiters = w;
}
static int count;
static int note(struct waiter *w, const char *name) { return w->told + *name + count++; }
static void init(void) {
  wait_for(note);
  tell_all("new");
}
int main(void) {
  char line[32];
  init();
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (*line == '+')
      wait_for(show);
    tell_all(line);
  }
  return 0;
}
