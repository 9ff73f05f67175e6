// Every form of store and allocation, in two sources with a common header.
// NVM_VERIFY compares a shadow of the heap at each commit: no store is missed.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --notes --load load main.c shelf.c > out
// RUN: grep -q 'nothing to act on, nothing to check' out
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include main.c shelf.c
//
// RUN: FileCheck %s --input-file shelf.h --check-prefix=HEADER
// HEADER:      #define SHELF_H
// HEADER-NEXT: #include <nvmove/nvm.h>
// HEADER:      #define TOUCH(b) do { NVM_OBJ(b)->seen = 1; NVM((b)->uses)++; } while (0)
// HEADER:      #define NEW(T) ((T *)nvm_malloc(sizeof(T)))
//
// RUN: FileCheck %s --input-file shelf.c --check-prefix=SHELF
// SHELF:      NVM_OBJ(l)->length = (unsigned)n;
// SHELF:      nvm_memcpy(l->text, text, n + 1);
// SHELF:      NVM(b->next) = shelf.first;
// SHELF:      NVM_OBJ(b)->kind = 2;
// SHELF:      snprintf(NVM_BUF(b->name, sizeof(b->name)), sizeof(b->name), "%s", name);
// SHELF:      NVM(b->place) = origin;
// SHELF:      NVM(b->size.pages) = NVM(b->size.weight) = 3;
// SHELF:      NVM(b->tags[NVM(b->tagCount)++]) = tag;
// SHELF:      __sync_fetch_and_add(NVM_OBJ(&b->loans), 1);
// SHELF:      NVM(*last) = NULL;
// SHELF:      NVM_LAYOUT(book, struct book,
// SHELF:      NVM_FIELD(struct book, number),
// SHELF-NOT:  NVM_FIELD(struct book, kind)
// SHELF:      NVM_LAYOUT(label, struct label,
// SHELF:      NVM_FLEXIBLE(struct label, text));
//
// RUN: gcc main.o shelf.o %runtime_lib -o shelf
// RUN: printf 'moby 1 anna 2 emma 3' > books
// RUN: echo "+ulysses -anna ." | ./shelf books > plain
// RUN: echo "+ulysses -anna ." | env NVM_VERIFY=1 NVM_POOL=%t/pool NVM_SIZE=64M ./shelf books > first 2> log
// RUN: echo "." | env NVM_VERIFY=1 NVM_POOL=%t/pool ./shelf books > second 2>> log
// RUN: diff plain first && diff first second
// RUN: FileCheck %s --input-file first --check-prefix=OUTPUT
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// OUTPUT-NOT:  anna
// OUTPUT:      ulysses 0 seen 1 uses 1 kind 2 loans 1 tags u* label 7 ulysses place 7,8 size 3,3
// OUTPUT-NEXT: emma 3 seen
// OUTPUT-NEXT: moby 1 seen
// LOG-NOT:    unannounced
//
// RUN: %nvmove --notes --load load --out again main.c shelf.c > out
// RUN: not ls again/patches

//--- shelf.h
#ifndef SHELF_H
#define SHELF_H
#include <stddef.h>
#include <stdlib.h>

struct point { int x, y; };
struct __attribute__((packed)) label { unsigned char flags; unsigned length; char text[]; };
struct book {
  struct book *next;
  unsigned seen : 1;
  unsigned kind : 7;
  int uses;
  __extension__ union { long number; char bytes[8]; };
  struct point place;
  struct { int pages, weight; } size;
  struct label *label;
  char name[24];
  char tags[8];
  int tagCount;
  int loans;
};
struct shelf { struct book *first; size_t count; };
extern struct shelf shelf;

#define TOUCH(b) do { (b)->seen = 1; (b)->uses++; } while (0)
#define NEW(T) ((T *)malloc(sizeof(T)))

void add(const char *name, long number);
void take(const char *name);
void load(const char *path);
#endif

//--- shelf.c
#include "shelf.h"
#include <stdio.h>
#include <string.h>

struct shelf shelf;
static const struct point origin = { 7, 8 };

static struct label *newLabel(const char *text) {
  size_t n = strlen(text);
  struct label *l = malloc(sizeof(*l) + n + 1);
  if (l == NULL)
    exit(1);
  l->flags = 1;
  l->length = (unsigned)n;
  memcpy(l->text, text, n + 1);
  return l;
}

void add(const char *name, long number) {
  struct book *b = NEW(struct book);
  char tag = name[0];
  if (b == NULL)
    exit(1);
  memset(b, 0, sizeof(*b));
  b->next = shelf.first;
  b->kind = 2;
  b->number = number;
  snprintf(b->name, sizeof(b->name), "%s", name);
  b->place = origin;
  b->size.pages = b->size.weight = 3;
  b->tags[b->tagCount++] = tag;
  b->tags[b->tagCount++] = '*';
  __sync_fetch_and_add(&b->loans, 1);
  b->label = newLabel(name);
  TOUCH(b);
  shelf.first = b;
  shelf.count++;
}

void take(const char *name) {
  struct book **last = &shelf.first, *b;
  while (*last && strcmp((*last)->name, name) != 0)
    last = &(*last)->next;
  b = *last;
  if (b == NULL)
    return;
  if (b->next)
    *last = b->next;
  else
    *last = NULL;
  free(b->label);
  free(b);
  shelf.count--;
}

void load(const char *path) {
  char name[24];
  long number;
  FILE *f = fopen(path, "r");
  if (f == NULL)
    return;
  while (fscanf(f, "%23s %ld", name, &number) == 2)
    add(name, number);
  fclose(f);
}

//--- main.c
#include "shelf.h"
#include <stdio.h>

static void command(const char *word) {
  if (word[0] == '+')
    add(word + 1, 0);
  else
    take(word + 1);
}

int main(int argc, char **argv) {
  char word[25];
  const struct book *b;
  if (argc < 2)
    return 1;
  load(argv[1]);
  while (scanf("%24s", word) == 1 && word[0] != '.')
    command(word);
  for (b = shelf.first; b; b = b->next)
    printf("%s %ld seen %d uses %d kind %d loans %d tags %s label %u %s place %d,%d size %d,%d\n",
           b->name, b->number, b->seen, b->uses, b->kind, b->loans, b->tags, b->label->length,
           b->label->text, b->place.x, b->place.y, b->size.pages, b->size.weight);
  return 0;
}
