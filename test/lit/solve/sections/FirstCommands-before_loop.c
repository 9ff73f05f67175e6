// main() carries out a first command before its loop: that is to be acted on. Not a
// word that it reads there for something else, nor what it reads before the load.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove_act --load load t.c > log
// RUN: grep store-outside-section nvmove-out/report.txt | FileCheck %s --implicit-check-not=store-outside
// CHECK: t.c:[[@LINE+49]]:{{.*}}start-up reads a command in line [[@LINE+48]], before the main loop, and carries it out by handle(), as handlers do{{.*}}(in main)
//
// RUN: sed '1i#define IN_LOOP' %s > t.c
// RUN: %nvmove --load load --force t.c > log
// RUN: not grep store-outside-section nvmove-out/report.txt
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
  struct item *next;
  char text[16];
};
static struct item *items;

static void add(const char *text) {
  struct item *i = calloc(1, sizeof *i);
  strncpy(i->text, text, 15);
  i->next = items;
  items = i;
}

void load(FILE *in) {
  char word[16];
  while (fscanf(in, "%15s", word) == 1)
    add(word);
}

static void handle(const char *word) {
  if (strcmp(word, "all"))
    add(word);
  for (struct item *i = items; i; i = i->next)
    printf("%s\n", i->text);
}

int main(void) {
  char word[16], name[16];
  FILE *in;
  if (scanf("%15s", name) != 1)
    return 1;
  in = fopen(name, "r");
  if (in) {
    load(in);
    fclose(in);
  }
  if (scanf("%15s", name) == 1)
    printf("hello %s\n", name);
#ifndef IN_LOOP
  if (scanf("%15s", word) == 1)
    handle(word);
#endif
  while (scanf("%15s", word) == 1)
    handle(word);
  return 0;
}
