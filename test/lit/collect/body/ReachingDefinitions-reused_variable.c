// One variable walks two lists in turn. The first is still empty while the state is
// loaded: what its loop does with each of them is not done, though the other list
// is not empty.
//
// RUN: %nvmove --notes --load load --analyze-only --force --out %t.out %s -- -std=gnu11 > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK:      2 persistent types
// CHECK-NEXT: {{^ +}}room {{.*}}rooms{{$}}
// CHECK-NEXT: {{^ +}}player {{.*}}bots{{$}}
// CHECK:      not-yet-filled{{ .*}}(in add)

#include <stdio.h>
#include <stdlib.h>

struct message { struct message *next; int c; };
struct player { struct player *next; struct message *inbox; };
struct room { struct room *next; int c; };
static struct player *players, *bots;
static struct room *rooms;

static void tell(struct player *p, int c) {
  struct message *m = malloc(sizeof *m);
  m->c = c;
  m->next = p->inbox;
  p->inbox = m;
}
static struct player *make(struct player *next) {
  struct player *p = calloc(1, sizeof *p);
  p->next = next;
  return p;
}
static void add(int c) {
  struct player *l;
  struct room *r = malloc(sizeof *r);
  r->c = c;
  r->next = rooms;
  rooms = r;
  for (l = players; l; l = l->next)
    tell(l, c);
  for (l = bots; l; l = l->next)
    if (l->inbox)
      r->c++;
}
static void load(void) {
  FILE *f = fopen("list", "r");
  int c;
  while ((c = getc(f)) != EOF)
    if (c == 'b')
      bots = make(bots);
    else
      add(c);
  fclose(f);
}
int main(void) {
  char line[80];
  load();
  while (fgets(line, 80, stdin))
    if (line[0] == '+')
      players = make(players);
    else
      add(line[0]);
  return 0;
}
