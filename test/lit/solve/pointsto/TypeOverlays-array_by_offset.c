// A static array of bytes is a record by a cast, and a table of offsets says
// where a parser puts things: what hangs there hangs from the array.
//
// RUN: rm -rf %t && mkdir %t && cp %s %t/a.c && cd %t
// RUN: %nvmove --load load --print types a.c | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print roots a.c | FileCheck %s --match-full-lines --implicit-check-not={{.}} --check-prefix=ROOTS
//
// CHECK: lease
// CHECK-NEXT: server
// ROOTS: space
//
// Text in an array that is cast to no record keeps no pointer.
//
// RUN: %nvmove --load load --print roots a.c -- -DTEXT | FileCheck %s --check-prefix=TEXT --allow-empty
// TEXT-NOT: space

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct lease { struct lease *next; int ip; };
struct server { unsigned max; struct lease *leases; };
static char space[1024];
#ifdef TEXT
static struct server the_server;
#define SERVER the_server
#else
#define SERVER (*(struct server *)space)
#endif
static int read_max(const char *text, void *place) {
  *(unsigned *)place = strtoul(text, 0, 10);
  return 1;
}
static void add(struct lease **at, int ip) {
  struct lease *l;
  while ((l = *at))
    at = &l->next;
  *at = l = calloc(1, sizeof *l);
  l->ip = ip;
}
static int read_lease(const char *text, void *place) {
  add(place, atoi(text));
  return 1;
}
static const struct word {
  const char *word;
  int (*read)(const char *, void *);
  unsigned offset;
} words[] = {{"max", read_max, offsetof(struct server, max)},
             {"lease", read_lease, offsetof(struct server, leases)}};
static void load(const char *name) {
  char w[100], v[100];
  FILE *f = fopen(name, "r");
  while (fscanf(f, "%99s %99s", w, v) == 2)
    for (int i = 0; i < 2; i++)
      if (!strcmp(w, words[i].word))
        words[i].read(v, (char *)&SERVER + words[i].offset);
  fclose(f);
}
struct client { unsigned tries; struct lease *asked; };
void other_use_of_the_space(void) { ((struct client *)space)->tries++; }
int main(void) {
  load("state");
  while (fgets(space + 512, 512, stdin)) {
    add(&SERVER.leases, atoi(space + 512));
    for (struct lease *l = SERVER.leases; l; l = l->next)
      printf("%d\n", l->ip);
  }
}
