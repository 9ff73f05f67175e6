// What is written down about pointers, and what for: the pool of the rewritten
// program moves to another address by what its layouts say. Where the types alone
// do not say what a word is, the layout does not either, and the pool stays.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load moves.c > out
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include moves.c
// RUN: FileCheck %s --input-file moves.c
// CHECK:      NVM(t->bucket) = NVM_ALLOC(pointers, nvm_calloc(t->size, sizeof *t->bucket));
// CHECK:      NVM_REGISTER(moves) {
// CHECK-DAG:  NVM_ROOT_POINTERS(words);
// CHECK-DAG:  NVM_ROOT_POINTERS(latest);
// CHECK-DAG:  NVM_ROOT(count);
// CHECK:      NVM_LAYOUT(entry, struct entry,
// CHECK-NEXT: NVM_POINTER(struct entry, next),
// CHECK-NEXT: NVM_POINTER(struct entry, kind),
// CHECK-NEXT: NVM_POINTER(struct entry, twice),
// CHECK-NEXT: NVM_FIELD(struct entry, number),
// CHECK-NEXT: NVM_POINTER(struct entry, one),
// CHECK-NEXT: NVM_RECORD(struct entry, spans, span),
// CHECK-NEXT: NVM_POINTER(struct entry, both));
// CHECK:      NVM_LAYOUT(line, struct line,
// CHECK-NEXT: NVM_RECORD(struct line, head, link),
// CHECK:      NVM_LAYOUT(link, struct link,
// CHECK-NEXT: NVM_POINTER(struct link, next),
// CHECK:      NVM_LAYOUT(row, struct row,
// CHECK-NEXT: NVM_FIELD(struct row, count),
// CHECK-NEXT: NVM_FLEXIBLE_POINTERS(struct row, cells));
// CHECK:      NVM_LAYOUT(span, struct span,
// CHECK-NEXT: NVM_FIELD(struct span, width),
// CHECK-NEXT: NVM_POINTER(struct span, text));
// CHECK:      NVM_LAYOUT(table, struct table,
// CHECK-NEXT: NVM_POINTER(struct table, bucket),
//
// RUN: gcc moves.o %runtime_lib -o moves
// RUN: ./moves three < one > plain
// RUN: env NVM_POOL=%t/pool NVM_SIZE=32M NVM_MAX_SIZE=64M ./moves three < one > first 2> log
// RUN: diff plain first
// No name has to be given, and all data are there, again and again.
// RUN: %nvm_pool relocate --to 0x330000000000 pool | grep 'moved from 0x200000000000 to 0x330000000000'
// RUN: env NVM_POOL=%t/pool ./moves < /dev/null > second 2> log
// RUN: diff plain second
// RUN: env NVM_POOL=%t/pool ./moves < one > more 2> log
// RUN: %nvm_pool relocate --to 0x200000000000 pool | grep 'to 0x200000000000'
// RUN: env NVM_POOL=%t/pool ./moves < /dev/null > third 2> log
// RUN: diff more third
// RUN: not diff plain third
//
// RUN: %nvmove --load load --out again moves.c > out
// RUN: not ls again/patches
//
// RUN: %nvmove_act --load load --out stay stays.c > out
// RUN: sh %S/../Inputs/apply stay/patches %runtime_include stays.c
// RUN: FileCheck %s --input-file stays.c --check-prefix=STAY
// STAY:      NVM_ALLOC(bytes, nvm_calloc(4, sizeof *table))
// STAY:      NVM_LAYOUT(node, struct node,
// STAY-NEXT: NVM_FIELD(struct node, any),
// STAY-NEXT: NVM_COMPUTED_IN_HEAP(struct node, link),
// STAY-NEXT: NVM_COMPUTED_IN_HEAP(struct node, tagged),
// STAY-NEXT: NVM_FIELD(struct node, number),
// STAY-NEXT: NVM_FIELD(struct node, either),
// STAY-NEXT: NVM_FIELD(struct node, raw),
// STAY-NEXT: NVM_FIELD(struct node, length));
// STAY:      NVM_LAYOUT(small, struct small,
// STAY-NEXT: NVM_FIELD(struct small, kind),
// STAY-NEXT: NVM_FIELD(struct small, next));
//
// RUN: gcc stays.o %runtime_lib -o stays
// RUN: env NVM_POOL=%t/stay.pool NVM_SIZE=32M NVM_MAX_SIZE=64M ./stays three > first 2> log
// RUN: cp stay.pool before
// RUN: not %nvm_pool relocate stay.pool > log 2>&1
// RUN: FileCheck %s --input-file log --check-prefix=NAMES --implicit-check-not=node.length
// NAMES-DAG: node.any
// NAMES-DAG: node.link
// NAMES-DAG: node.tagged
// NAMES-DAG: node.number
// NAMES-DAG: node.either
// NAMES-DAG: node.raw
// NAMES-DAG: small.next
// NAMES-DAG: bytes
// NAMES:     [pointers-unknown]
// RUN: cmp before stay.pool
// RUN: env NVM_POOL=%t/stay.pool ./stays > second 2> log
// RUN: diff first second

//--- three
the 3 quick 8 brown 5
//--- one
fox 13
//--- moves.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kind { const char *name; };
static const struct kind odd = {"odd"};
static const struct kind even = {"even"};
static int by_two(int x) { return 2 * x; }

struct span { long width; char *text; };
struct link { struct link *next; int lines; };
struct line { struct link head; char *text; };
struct row { int count; struct entry *cells[]; };
struct entry {
  struct entry *next;
  const struct kind *kind;
  int (*twice)(int);
  long number;
  union { char *text; struct row *row; } one;
  struct span spans[2];
  struct row *both[2];
};
struct table { struct entry **bucket; unsigned long size; struct link *lines; };

static struct table *words;
static struct entry *latest[2];
static long count;

static char *copy(const char *s) {
  char *t = malloc(strlen(s) + 1);
  strcpy(t, s);
  return t;
}

static void add(const char *word, int number) {
  struct entry *e = calloc(1, sizeof *e);
  struct line *line = calloc(1, sizeof *line);
  struct row *row = calloc(1, sizeof *row + 3 * sizeof(struct entry *));
  struct table *t = words;
  if (t == NULL) {
    t = calloc(1, sizeof *t);
    t->size = 8;
    t->bucket = calloc(t->size, sizeof *t->bucket);
    words = t;
  }
  e->kind = number % 2 ? &odd : &even;
  e->twice = by_two;
  e->number = number;
  e->one.text = copy(word);
  e->spans[1].width = number;
  e->spans[1].text = e->one.text + 1;
  row->count = 1;
  row->cells[2] = e;
  e->both[1] = row;
  line->text = e->one.text;
  line->head.next = t->lines;
  line->head.lines = number;
  t->lines = &line->head;
  e->next = t->bucket[number % t->size];
  t->bucket[number % t->size] = e;
  latest[count++ % 2] = e;
}

void load(const char *path) {
  char word[100];
  int number;
  FILE *f = fopen(path, "r");
  while (f != NULL && fscanf(f, "%99s %d", word, &number) == 2)
    add(word, number);
  if (f != NULL)
    fclose(f);
}

static void print(const struct entry *e) {
  printf("%s %s %d %s %ld\n", e->one.text, e->kind->name, e->twice((int)e->number),
         e->spans[1].text, e->both[1]->cells[2]->number);
}

int main(int argc, char **argv) {
  char word[100];
  int number;
  if (argc > 1)
    load(argv[1]);
  while (scanf("%99s %d", word, &number) == 2)
    add(word, number);
  for (unsigned long i = 0; words != NULL && i < words->size; i++)
    for (const struct entry *e = words->bucket[i]; e != NULL; e = e->next)
      print(e);
  for (struct link *l = words->lines; l != NULL; l = l->next)
    printf("%s %d\n", ((struct line *)l)->text, l->lines);
  printf("%ld\n", count);
  print(latest[0]);
  print(latest[1]);
  return 0;
}
//--- stays.c
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct small { int kind; struct small *next; };
struct big { int kind; long value; };
struct node {
  void *any;            /* a pointer, or an integer that was made one */
  uintptr_t link;       /* the pointers before and behind it, XORed */
  char *tagged;         /* with a bit of its own */
  uintptr_t number;     /* a pointer that was made an integer */
  union { char *text; long number; } either;
  char raw[16];         /* a pointer, by memcpy */
  long length;          /* the distance of two pointers */
};

static struct node *first;
static struct small *smalls;
static void **table;

static void add(const char *word, int number) {
  struct node *n = calloc(1, sizeof *n);
  struct small *s = calloc(1, sizeof(struct big));
  char *text = malloc(strlen(word) + 1), *end;
  if (table == NULL)
    table = calloc(4, sizeof *table);
  strcpy(text, word);
  end = text + strlen(text);
  n->any = number % 2 ? (void *)text : (void *)(intptr_t)number;
  n->link = (uintptr_t)first ^ 0x1234;
  n->tagged = (char *)((uintptr_t)text | 1);
  n->number = (uintptr_t)text;
  n->either.text = text;
  memcpy(n->raw, &text, sizeof text);
  n->length = end - text;
  if (number % 2 == 0) {
    s->kind = 2;
    ((struct big *)s)->value = number;
  } else {
    s->kind = 1;
    s->next = smalls;
    smalls = s;
  }
  table[number % 4] = number % 2 ? (void *)s : (void *)(intptr_t)number;
  first = n;
}

void load(const char *path) {
  char word[100];
  int number;
  FILE *f = fopen(path, "r");
  while (f != NULL && fscanf(f, "%99s %d", word, &number) == 2)
    add(word, number);
  if (f != NULL)
    fclose(f);
}

int main(int argc, char **argv) {
  if (argc > 1)
    load(argv[1]);
  for (struct node *n = first; n != NULL; n = (struct node *)(n->link ^ 0x1234))
    printf("%s %ld\n", n->either.text, n->length);
  for (struct small *s = smalls; s != NULL; s = s->next)
    printf("%d\n", s->kind);
  return 0;
}
