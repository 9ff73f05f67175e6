// Hooks that the load may add to, and start-up does at each start: nothing of the
// file is in their number, which counts what the load does all the same. It must
// not come back without them: the next start would add behind empty ones.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.c && printf 'one ' > a
// RUN: %nvmove_act --load load_file app.c | FileCheck %s
// CHECK: index-alone {{.*}}n_hooks is restored, but hooks, which it indexes, is not (in add_hook)
//
// RUN: %nvmove --load load_file --afresh n_hooks --force app.c | FileCheck %s --check-prefix=AFRESH --implicit-check-not="to act on"
// AFRESH: set-by-load {{.*}}hooks.cb, hooks.aux is set by functions that only the load runs
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'two\n' | env NVM_POOL=%t/pool NVM_SIZE=32M ./app none | FileCheck %s --check-prefix=FIRST
// FIRST: two
// FIRST-NEXT: bye 3
// RUN: printf 'three\n' | env NVM_POOL=%t/pool ./app none | FileCheck %s --check-prefix=LATER
// LATER: three two
// LATER-NEXT: bye 2

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word { struct word *below; char text[20]; };
struct hook { void (*cb)(int *); int *aux; };

static struct word *words;
static struct hook hooks[4];
static size_t n_hooks;

static void add_hook(void (*cb)(int *), int *aux) {
  if (n_hooks >= 4)
    abort();
  hooks[n_hooks].cb = cb;
  hooks[n_hooks].aux = aux;
  n_hooks++;
}
static void count(int *aux) { ++*aux; }
static void push(const char *text) {
  struct word *w = malloc(sizeof *w);
  snprintf(w->text, sizeof w->text, "%s", text);
  w->below = words;
  words = w;
}
static int counted;
static void load_file(const char *path) {
  char word[20];
  FILE *f = fopen(path, "r");
  if (!f)
    add_hook(count, &counted);
  while (f && fscanf(f, "%19s", word) == 1)
    push(word);
  if (f)
    fclose(f);
}
int main(int argc, char **argv) {
  char line[64];
  (void)argc;
  add_hook(count, &counted);
  load_file(argv[1]);
  add_hook(count, &counted);
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    push(line);
    for (struct word *w = words; w; w = w->below)
      printf("%s ", w->text);
    puts("");
    fflush(stdout);
  }
  for (size_t i = 0; i < n_hooks; i++)
    hooks[i].cb(hooks[i].aux);
  printf("bye %d\n", counted);
  return 0;
}
