// A rewritten program is judged as the program was. What registers roots and
// layouts is no code of the file that might look at what the load keeps for
// itself; a member that is set through a hook is set.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load --print types parser.c main.c > types
// RUN: %nvmove --load load --print roots parser.c main.c > roots
// RUN: FileCheck %s --input-file types
// RUN: FileCheck %s --input-file roots --check-prefix=ROOTS --implicit-check-not=words
// RUN: %nvmove_act --load load parser.c main.c > log
// RUN: cat nvmove-out/patches/*.patch | patch -p1 > patch.log
// RUN: grep -F "NVM(w->pages) =" parser.c
// RUN: grep -F "NVM_ROOT(word_count);" parser.c
// RUN: %nvmove verify --load load parser.c main.c
// RUN: %nvmove --load load --print types parser.c main.c > again
// RUN: diff types again
// RUN: %nvmove --load load --print roots parser.c main.c > again
// RUN: diff roots again
// RUN: %nvmove_act --load load --force parser.c main.c | FileCheck %s --check-prefix=AGAIN
// CHECK-DAG: window
// CHECK-DAG: page
// CHECK-DAG: line
// ROOTS: window
// AGAIN: 0 files edited
//--- parser.h
struct line { struct line *next; int n; };
struct page { struct line *first; };
struct window { int pages, lines; struct page *list; struct line *all; };
extern struct window *window;
void load(void);
void add(int n);
//--- parser.c
#include "parser.h"
#include <stdio.h>
#include <stdlib.h>
static int *words, word_count;

static void push(int n) {
  int *larger = malloc((word_count + 1) * sizeof(int));
  for (int i = 0; i < word_count; i++)
    larger[i] = words[i];
  free(words);
  words = larger;
  words[word_count++] = n;
}
static struct page *make(struct window *w) {
  struct page *p = malloc(sizeof *p);
  p->first = w->all;
  return p;
}
static void paginate(struct window *w) {
  w->pages = (w->lines + 9) / 10;
  if (w->pages)
    w->list = make(w);
}
void load(void) {
  FILE *f = fopen("state", "r");
  int n;
  window = calloc(1, sizeof *window);
  if (!f)
    return;
  while (fscanf(f, "%d", &n) == 1)
    push(n);
  for (n = 0; n < word_count; n++)
    add(words[n]);
  paginate(window);
  fclose(f);
}
//--- main.c
#include "parser.h"
#include <stdio.h>
#include <stdlib.h>
struct window *window;
void add(int n) {
  struct line *l = malloc(sizeof *l);
  l->n = n;
  l->next = window->all;
  window->all = l;
  window->lines++;
}
int main(void) {
  char line[80];
  load();
  while (fgets(line, sizeof line, stdin))
    add(atoi(line));
  return 0;
}
