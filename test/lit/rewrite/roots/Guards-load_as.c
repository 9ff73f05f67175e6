// What a load gives back is in its root before the section ends that it is
// loaded in: a process killed right behind it has loaded.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load program.c > out
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c --check-prefix=TEXT
// TEXT: head = NVM_LOAD_AS(load(), head);
// RUN: gcc -I %runtime_include program.c %runtime_lib -o app
// RUN: printf 57 > state
// RUN: printf x | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app
// RUN: env NVM_POOL=%t/pool ./app < /dev/null > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG: 55 53 end

//--- program.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct item {
  struct item *next;
  int n;
};
static struct item *head;

static struct item *add(struct item *first, int n) {
  struct item *it = malloc(sizeof *it);
  if (!it)
    abort();
  it->n = n;
  it->next = first;
  return it;
}
static struct item *load(void) {
  struct item *first = NULL;
  int c;
  FILE *f = fopen("state", "r");
  if (!f)
    return NULL;
  while ((c = fgetc(f)) != EOF)
    first = add(first, c);
  fclose(f);
  return first;
}
static void command(int c) { head = add(head, c); }
int main(void) {
  int c;
  head = load();
  while ((c = getchar()) != EOF) {
    if (c == 'x')
      kill(getpid(), SIGKILL);
    command(c);
  }
  for (struct item *it = head; it; it = it->next)
    printf("%d ", it->n);
  puts("end");
  return 0;
}
