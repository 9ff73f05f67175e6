// Records are cut from blocks of several: what ended with the process is null in
// all of them. Where a block may hold something else behind the first record, or
// it is not certain how many there are, that is reported.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --notes --load load program.c > out
// RUN: FileCheck %s --input-file out
// CHECK-DAG: pointer-to-volatile {{.*}}item.log may point to what fopen() returns: a restart makes it null
// CHECK-DAG: pointer-to-volatile {{.*}}a block allocated here may hold several struct note, which is not certain: in such a block, a restart resets what ends with the process (to null or -1) only in the first record
// CHECK-DAG: pointer-to-volatile {{.*}}a block allocated here may hold several struct text, and blocks allocated elsewhere contain other bytes after the first: in such
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c --check-prefix=TEXT --implicit-check-not=NVM_ELEMENTS
// TEXT: NVM_ELEMENTS(item);
// RUN: gcc -I %runtime_include program.c %runtime_lib -o app
// RUN: printf 'a b c d e f g h i j' > data
// RUN: printf 'x' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app
// RUN: env NVM_POOL=%t/pool ./app < /dev/null > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG: 10 items, 0 dead

//--- program.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct item {
  struct item *next;
  char name[16];
  FILE *log;
};
struct note {
  struct note *next;
  FILE *log;
};
struct text {
  struct text *next;
  FILE *log;
  int size;
};
static struct item *items, *spare;
static struct note *notes;
static struct text *texts;

static void more(void) {
  int n = 8;
  struct item *i = malloc((size_t)n * sizeof(*i));
  if (!i)
    abort();
  for (; n > 0; n--, i++) {
    i->next = spare;
    spare = i;
  }
}
static void make(const char *name) {
  struct item *i;
  if (!spare)
    more();
  i = spare;
  spare = i->next;
  strcpy(i->name, name);
  i->log = fopen("/dev/null", "w");
  i->next = items;
  items = i;
}
static void *get(size_t size, int count) {
  void *p = malloc(size * (size_t)count);
  if (!p)
    abort();
  return p;
}
static void note(int count) {
  struct note *n = get(sizeof *n, count);
  n->log = fopen("/dev/null", "w");
  n->next = notes;
  notes = n;
}
static void text(int size) {
  struct text *t = NULL;
  if (size > 9)
    t = malloc(sizeof *t + (size_t)size);
  else
    t = malloc(sizeof *t * 2);
  if (!t)
    abort();
  t->log = fopen("/dev/null", "w");
  t->next = texts;
  texts = t;
}
static void load(void) {
  char line[16];
  FILE *f = fopen("data", "r");
  if (!f)
    return;
  while (fscanf(f, "%15s", line) == 1) {
    make(line);
    note(line[0]);
    text(line[0]);
  }
  fclose(f);
}
static void command(int c) {
  if (c == 'x')
    kill(getpid(), SIGKILL);
  make("new");
}
int main(void) {
  int c, count = 0, dead = 0;
  struct item *i;
  load();
  while ((c = getchar()) != EOF)
    command(c);
  for (i = items; i; i = i->next) {
    count++;
    dead += i->log != NULL;
  }
  printf("%d items, %d dead\n", count, dead);
  return 0;
}
