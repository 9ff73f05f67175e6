// The load, and what puts the loaded objects where handlers find them, are both
// named: start-up comes to the second through a function that does no more than
// load, and there alone. The guard around that is enough, and no second one ends
// the start-up section before it.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.c && printf 'one two ' > a && printf 'three ' > b
// RUN: %nvmove --load load_file,add app.c | FileCheck %s --implicit-check-not=several-loads
// CHECK: 1 load call guarded
// CHECK: nothing to act on
//
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: FileCheck %s --check-prefix=TEXT --input-file app.c
// TEXT: {{^}}static void load_all(
// TEXT-NOT: nvm_
// TEXT: {{^}}int main
// TEXT: if (!nvm_restore()) load_all(argv + 1);
// TEXT-NEXT: nvm_ready();
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'b four\n' | env NVM_POOL=%t/pool NVM_SIZE=32M ./app a b | FileCheck %s --check-prefix=FIRST
// FIRST: none:{{$}}
// FIRST-NEXT: b: four three{{$}}
// FIRST-NEXT: a: two one{{$}}
// RUN: printf 'a five\n' | env NVM_POOL=%t/pool ./app a b | FileCheck %s --check-prefix=LATER
// LATER: none:{{$}}
// LATER-NEXT: b: four three{{$}}
// LATER-NEXT: a: five two one{{$}}
//
// RUN: %nvmove --load load_file,add --force --extra-arg -I%runtime_include app.c | FileCheck %s --check-prefix=SECOND
// SECOND: nothing to act on
// SECOND: 0 patches

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word { struct word *below; char text[20]; };
struct table { struct table *next; struct word *words; char name[20]; };

static struct table *tables;

static void push(struct table *t, const char *text) {
  struct word *w = malloc(sizeof *w);
  snprintf(w->text, sizeof w->text, "%s", text);
  w->below = t->words;
  t->words = w;
}
static void load_file(struct table *t, const char *path) {
  char word[20];
  FILE *f = fopen(path, "r");
  while (f && fscanf(f, "%19s", word) == 1)
    push(t, word);
  if (f)
    fclose(f);
}
static void add(struct table *t) {
  t->next = tables;
  tables = t;
}
static int open_table(const char *path) {
  struct table *t = calloc(1, sizeof *t);
  if (strlen(path) >= sizeof t->name)
    return -1;
  strcpy(t->name, path);
  load_file(t, path);
  add(t);
  return 0;
}
static void add_none(void) {
  struct table *t = calloc(1, sizeof *t);
  strcpy(t->name, "none");
  add(t);
}
static void load_all(char **names) {
  for (; *names; names++)
    if (open_table(*names) < 0)
      exit(1);
  add_none();
}
int main(int argc, char **argv) {
  char line[64], name[20], word[20];
  (void)argc;
  load_all(argv + 1);
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "%19s %19s", name, word) != 2)
      continue;
    for (struct table *t = tables; t; t = t->next)
      if (!strcmp(t->name, name))
        push(t, word);
    for (struct table *t = tables; t; t = t->next) {
      printf("%s:", t->name);
      for (struct word *w = t->words; w; w = w->below)
        printf(" %s", w->text);
      puts("");
    }
    fflush(stdout);
  }
  return 0;
}
