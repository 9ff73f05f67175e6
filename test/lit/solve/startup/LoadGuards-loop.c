// The load's result is used in a loop that loads one file after the other and
// does nothing else: it is skipped as a whole. Not where the loop sets something
// for what follows.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.c && printf 'one two ' > a && printf 'three ' > b
// RUN: %nvmove --load load_file app.c | FileCheck %s --implicit-check-not=load-not-guarded
// CHECK: 1 load call guarded
// CHECK: nothing to act on, nothing to check
//
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: FileCheck %s --check-prefix=TEXT --input-file app.c
// TEXT: if (!nvm_restore())
// TEXT-NEXT: FOR_EACH
// TEXT: }
// TEXT-NEXT: nvm_ready();
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'four\n' | env NVM_POOL=%t/pool NVM_SIZE=32M ./app a b | FileCheck %s --check-prefix=FIRST
// FIRST: four three two one
// RUN: printf 'five\n' | env NVM_POOL=%t/pool ./app a b | FileCheck %s --check-prefix=LATER
// LATER: five four three two one
// RUN: not env NVM_POOL=%t/other NVM_SIZE=32M ./app a none 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: none: no such file
// RUN: printf 'four\n' | env NVM_POOL=%t/other ./app b | FileCheck %s --check-prefix=AGAIN
// AGAIN: {{^}}four three {{$}}
//
// RUN: %nvmove --load load_file --force --extra-arg -I%runtime_include app.c | FileCheck %s --check-prefix=SECOND
// SECOND: nothing to act on, nothing to check
// SECOND: 0 patches
//
// RUN: mkdir counts && cd counts && sed 's/int error = load/error += load/; s/char line/int error = 0; &/; s/while (fgets/printf("%%d", error); &/' %s > app.c
// RUN: not %nvmove --load load_file app.c > log
// RUN: FileCheck %s --check-prefix=COUNTS --input-file log
// COUNTS: load-not-guarded
// COUNTS-SAME: its result is used in a loop, which also sets error for what follows

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOR_EACH(P, FROM) for ((P) = (FROM); *(P); (P)++)

struct word { struct word *below; char text[20]; };

static struct word *words;

static void push(const char *text) {
  struct word *w = malloc(sizeof *w);
  snprintf(w->text, sizeof w->text, "%s", text);
  w->below = words;
  words = w;
}
static int load_file(const char *path) {
  char word[20];
  FILE *f = fopen(path, "r");
  if (!f)
    return -1;
  while (fscanf(f, "%19s", word) == 1)
    push(word);
  fclose(f);
  return 0;
}
int main(int argc, char **argv) {
  char line[64];
  char **name;
  (void)argc;
  FOR_EACH(name, argv + 1) {
    int error = load_file(*name);
    if (error < 0) {
      fprintf(stderr, "%s: no such file\n", *name);
      return 1;
    }
  }
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    push(line);
    for (struct word *w = words; w; w = w->below)
      printf("%s ", w->text);
    puts("");
    fflush(stdout);
  }
  return 0;
}
