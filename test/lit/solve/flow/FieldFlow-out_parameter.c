// A block whose address the allocation puts straight behind an out parameter or
// a walking pointer is freed as one of the heap, by a function that takes void *
// as well.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load program.c > out
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c
// CHECK: nvm_free(block);
// CHECK: nvm_free(t->text);
// CHECK-NEXT: nvm_free(t);
// CHECK: nvm_free(last);
// RUN: %nvmove verify --load load program.c
// RUN: sed 's/nvm_free(t)/free(t)/' program.c > missed.c
// RUN: not %nvmove verify --load load missed.c | FileCheck %s --check-prefix=MISSED
// MISSED: missed.c:{{.*}}free{{.*}}[not-rewritten]
// RUN: gcc -I %runtime_include program.c %runtime_lib -o app
// RUN: printf '1 2 3' > data
// RUN: printf 'pdlx' | env NVM_VERIFY=1 NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app 2> log
// RUN: not grep -i unannounced log
// RUN: printf 'pdl' | env NVM_POOL=%t/pool ./app | FileCheck %s --check-prefix=AGAIN
// AGAIN: 1 entries, 1 texts, 1 lasts

//--- program.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct entry {
  struct entry *next;
  int key;
};
struct text {
  struct text *next;
  char *text;
};
struct last {
  struct last *next;
  int key;
};
static struct entry *table[2];
static struct text *texts;
static struct last *lasts;

static void release(void *block) {
  if (block)
    free(block);
}
static int put(int key) {
  struct entry **p;
  for (p = &table[key & 1]; *p; p = &(*p)->next)
    if ((*p)->key == key)
      return 0;
  *p = malloc(sizeof **p);
  if (!*p)
    return -1;
  (*p)->key = key;
  (*p)->next = NULL;
  return 1;
}
static int make(struct text **out) {
  if (!(*out = calloc(1, sizeof **out)))
    return 0;
  return ((*out)->text = malloc(20)) != NULL;
}
static void make_last(void *out) {
  struct last *l = calloc(1, sizeof *l);
  memcpy(out, &l, sizeof l);
}
static void add(int key) {
  struct text *t;
  struct last *l;
  if (put(key) < 0 || !make(&t))
    abort();
  t->text[0] = 'x';
  t->next = texts;
  texts = t;
  make_last(&l);
  if (!l)
    abort();
  l->key = key;
  l->next = lasts;
  lasts = l;
}
static void load(void) {
  int key;
  FILE *f = fopen("data", "r");
  if (!f)
    return;
  while (fscanf(f, "%d", &key) == 1)
    add(key);
  fclose(f);
}
static void command(int c) {
  if (c == 'x')
    kill(getpid(), SIGKILL);
  if (c == 'p' && (table[0] || table[1])) {
    struct entry **p = &table[table[0] == NULL], *e = *p;
    *p = e->next;
    release(e);
  }
  if (c == 'd' && texts) {
    struct text *t = texts;
    texts = t->next;
    free(t->text);
    free(t);
  }
  if (c == 'l' && lasts) {
    struct last *last = lasts;
    lasts = last->next;
    free(last);
  }
}
int main(void) {
  int c, entries = 0, texts_left = 0, lasts_left = 0;
  load();
  while ((c = getchar()) != EOF)
    command(c);
  for (int i = 0; i < 2; i++)
    for (struct entry *e = table[i]; e; e = e->next)
      entries++;
  for (struct text *t = texts; t; t = t->next)
    texts_left++;
  for (struct last *l = lasts; l; l = l->next)
    lasts_left++;
  printf("%d entries, %d texts, %d lasts\n", entries, texts_left, lasts_left);
  return 0;
}
