// What each field of a persistent type holds: what the load writes, directly, inside or as bytes; counts that can be made again.
//
// RUN: %nvmove --load load --print fields %s | FileCheck %s
// RUN: %nvmove --load load --analyze-only --out %t.out --force %s > %t.log
// RUN: FileCheck %s --input-file %t.out/report.json --check-prefix=JSON
//
// CHECK-DAG: list.length	recomputable
// CHECK-DAG: list.first	pointer-to-persistent
// CHECK-DAG: list.visits	persistent
// CHECK-DAG: entry.refs	recomputable
// CHECK-DAG: entry.total	persistent
// CHECK-DAG: entry.value	pointer-to-persistent
// CHECK-DAG: entry.spans	persistent
// CHECK-DAG: entry.shown	transient
// CHECK-DAG: text.size	persistent
// CHECK-DAG: text.flags	persistent
// CHECK-DAG: text.bytes	persistent
//
// JSON: "basis": "advice",
// JSON-NEXT: "evidence": "each of its {{[0-9]+}} stores is ++, --, or a constant{{.*}}count of
// JSON: "verdict": "recomputable"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text { unsigned size; unsigned char flags; char bytes[]; };
struct entry {
  int refs, total;
  union { long number; struct text *text; } value;
  struct { int from, to; } spans[2];
  int shown;
  struct entry *next;
};
struct list { struct entry *first; long length; long visits; };
static struct list *all;

static struct text *newText(const char *s) {
  struct text *t = malloc(sizeof *t + strlen(s) + 1);
  char *bytes = (char *)t + sizeof *t - 3;
  t->size = strlen(s);
  memcpy(bytes, s, t->size + 1);
  return t;
}

static void hold(struct entry *e) { e->refs++; }

static void release(struct entry *e) {
  if (--e->refs == 0) {
    free(e->value.text);
    free(e);
  }
}

static void add(const char *s, int n) {
  struct entry *e = malloc(sizeof *e);
  e->refs = 1;
  e->total = n;
  e->value.text = newText(s);
  e->spans[0].from = n;
  e->next = all->first;
  all->first = e;
  all->length++;
}

static void drop(void) {
  struct entry *e = all->first;
  all->first = e->next;
  all->length--;
  release(e);
}

void load(FILE *f) {
  char word[32];
  int n;
  all = malloc(sizeof *all);
  all->first = NULL;
  all->length = 0;
  all->visits = 0;
  while (fscanf(f, "%31s %d", word, &n) == 2)
    add(word, n);
}

static void visit(void) { all->visits++; }

int main(void) {
  load(stdin);
  while (getchar() != EOF) {
    hold(all->first);
    visit();
    all->first->shown = 1;
    all->first->total += 2;
    drop();
  }
  return 0;
}
