// Only a static within a function is kept, whose registration runs late; pointers
// to literals have to be known before the pool is opened.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.c && printf 'a ' > data
// RUN: %nvmove --load load_state --keep shown app.c > out
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: grep -v "^//" app.c | FileCheck %s --check-prefix=APP
// APP: static void show(struct world *w) {
// APP-NEXT: static int shown;
// APP-NEXT: NVM_ROOT_HERE("show():shown", shown);
// APP-NOT: NVM_LITERALS
// APP: NVM_REGISTER({{.*}}) {
// APP-NEXT: NVM_LITERALS();
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'b\n?\nx\n' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: printf '?\n' | env NVM_POOL=%t/pool ./app >> log
// RUN: FileCheck %s --check-prefix=LOG --input-file log
// LOG: b short a short 1
// LOG-NEXT: b short a short 2

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { struct item *next; const char *kind; char key[20]; };
struct world { struct item *first; };

static void add(struct world *w, const char *key) {
  struct item *i = malloc(sizeof *i);
  snprintf(i->key, sizeof i->key, "%s", key);
  i->kind = strlen(key) > 5 ? "long" : "short";
  i->next = w->first;
  w->first = i;
}
static void show(struct world *w) {
  static int shown;
  for (struct item *i = w->first; i; i = i->next)
    printf("%s %s ", i->key, i->kind);
  printf("%d\n", ++shown);
}
static void load_state(struct world *w, const char *path) {
  char word[20];
  FILE *f = fopen(path, "r");
  while (f && fscanf(f, "%19s", word) == 1)
    add(w, word);
  if (f)
    fclose(f);
}
int main(void) {
  struct world *w = malloc(sizeof *w);
  char line[64];
  w->first = NULL;
  load_state(w, "data");
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (!strcmp(line, "x"))
      raise(SIGKILL);
    else if (!strcmp(line, "?"))
      show(w);
    else
      add(w, line);
    fflush(stdout);
  }
  return 0;
}
