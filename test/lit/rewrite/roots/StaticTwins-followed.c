// Objects and roots point to statics that are written, named in initialisers,
// inside functions or that have no name: the next run has them elsewhere, and
// the pointers follow. What has no name follows within one build only.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --notes --load load followed.c > out
// RUN: FileCheck %s --input-file out
// CHECK:      4 roots
// CHECK-NEXT: head.next
// CHECK-NEXT: head.prev
// CHECK-NEXT: here
// CHECK-NEXT: newest
// CHECK:      6 followed statics   (pointers to them in the pool are updated if their addresses differ in a run)
// CHECK-NEXT: head     list.next points to it
// CHECK-NEXT: rooms    here points to it
// CHECK-NEXT: scratch  item.text points to it
// CHECK-NEXT: you      item.owner points to it
// CHECK-NEXT: hum      item.act points to it
// CHECK-NEXT: ring     item.act points to it
// CHECK-DAG: pointer-to-literal  item.name may hold the address of a string literal
// CHECK-DAG: pointer-to-static   item.count may point to counts, a static inside a function
//
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include followed.c
// RUN: FileCheck %s --input-file followed.c --check-prefix=TEXT
// TEXT:     NVM(i->owner) = &you;
// TEXT:      NVM_STATIC(head);
// TEXT-NEXT: NVM_STATIC_ARRAY(rooms);
// TEXT-NEXT: NVM_STATIC_ARRAY(scratch);
// TEXT-NEXT: NVM_STATIC(you);
// TEXT-NEXT: NVM_STATIC_FUNCTION(hum);
// TEXT-NEXT: NVM_STATIC_FUNCTION(ring);
// TEXT-NEXT: NVM_LITERALS();
//
// RUN: gcc -fPIE -pie -I %runtime_include followed.c %runtime_lib -o app
// RUN: printf abcdabcdx | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: printf cb | env NVM_POOL=%t/pool ./app > log 2> moved
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// RUN: FileCheck %s --input-file moved --check-prefix=MOVED
// LOG:      hum 97 other you text 1
// LOG-NEXT: ring 98 the b you text 2
// LOG-COUNT-8: you text
// LOG-NEXT: newest 98, in the cellar, 1 of 10
// MOVED: {{[0-9]+}} pointers to statics that have other addresses in this run were updated
//
// Another build of the same, which has the literals elsewhere.
// RUN: gcc -DANOTHER -O2 -fPIE -pie -I %runtime_include followed.c %runtime_lib -o app
// RUN: env NVM_POOL=%t/pool not ./app < /dev/null > log 2>&1
// RUN: FileCheck %s --input-file log --check-prefix=OTHER
// OTHER: was created by another build, and these point to its string literals or to statics without a name: item.count, item.name [pool-layout]
//
// Without these another build follows, too.
// RUN: rm pool && gcc -DNAMED -no-pie -I %runtime_include followed.c %runtime_lib -o app
// RUN: printf abcdabcdx | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: gcc -DNAMED -DANOTHER -no-pie -I %runtime_include followed.c %runtime_lib -o app
// RUN: printf cb | env NVM_POOL=%t/pool ./app > log 2> moved
// RUN: FileCheck %s --input-file log --check-prefix=NAMED
// RUN: FileCheck %s --input-file moved --check-prefix=MOVED
// NAMED: newest 98, in the cellar, 1 of 10

//--- followed.c
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef ANOTHER
int first[1000] = {1};
#endif
struct list {
  struct list *next, *prev;
};
struct item {
  struct list link;
  int n, *count;
  struct player *owner;
  const char *name;
  char *text;
  void (*act)(const struct item *);
};
static struct list head = {&head, &head};
struct player {
  char name[8];
  int items;
} you;
static struct room {
  const char *name;
  int visits;
} rooms[] = {{"at home", 0}, {"in the attic", 0}, {"in the cellar", 0}};
static struct room *here = &rooms[0];
static struct item *newest;
static char scratch[8];

static void ring(const struct item *i) { printf("ring %d ", i->n); }
static void hum(const struct item *i) { printf("hum %d ", i->n); }
static struct command {
  const char *word;
  void (*act)(const struct item *);
} commands[] = {{"ring", ring}, {"hum", hum}};

static struct item *add(int n) {
  struct item *i = malloc(sizeof *i);
  if (!i)
    abort();
  i->n = n;
  i->owner = &you;
  i->name = NULL;
  i->text = NULL;
#ifdef NAMED
  i->count = NULL;
#else
  static int counts[4];
  i->count = &counts[n % 4];
#endif
  i->act = commands[n % 2].act;
  i->link.next = &head;
  i->link.prev = head.prev;
  head.prev->next = &i->link;
  head.prev = &i->link;
  newest = i;
  return i;
}

static void load(FILE *f) {
  int n;
  if (fread(&you, sizeof you, 1, f) != 1 || fread(&n, sizeof n, 1, f) != 1)
    return;
  here = &rooms[n];
  while (fread(&n, sizeof n, 1, f) == 1)
    add(n);
}

static void command(int c) {
  struct item *i = add(c);
  you.items++;
  here = &rooms[c % 3];
#ifndef NAMED
  i->name = c % 2 ? "other" : "the b";
#endif
  i->text = scratch;
}

int main(void) {
  int c, n = 0;
  FILE *f = fopen("state", "r");
  if (f)
    load(f);
  snprintf(scratch, sizeof scratch, "text");
  while ((c = getchar()) != EOF) {
    if (c == 'x')
      kill(getpid(), SIGKILL);
    command(c);
  }
  for (struct list *l = head.next; l != &head; l = l->next) {
    struct item *i = (struct item *)((char *)l - offsetof(struct item, link));
    i->act(i);
    printf("%s %s %s %d\n", i->name ? i->name : "-",
           i->owner == &you ? "you" : "lost", i->text, i->count ? ++n : 0);
  }
  printf("newest %d, %s, %d of %d\n", newest->n, here->name,
         newest->owner == &you, you.items);
  return 0;
}
