// What the load gives is put into a member of a record of main, which handlers
// replace: a restart gets what is there, not what the load gave. A second move
// knows by the hooks what the first knew.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.c && printf 'one two ' > data
// RUN: %nvmove --load load_state app.c | FileCheck %s --implicit-check-not=load-result
// CHECK: app.doc
// CHECK: nothing to act on, nothing to check
//
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: grep -c 'app.doc = NVM_LOAD_AS(load_state("data"), app.doc)' app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'a\nb\nx\n' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: printf 'c\nx\n' | env NVM_POOL=%t/pool not --crash ./app >> log
// RUN: printf '?\n' | env NVM_POOL=%t/pool ./app >> log
// RUN: FileCheck %s --check-prefix=LOG --input-file log
// LOG: c b a two one
//
// RUN: %nvmove --load load_state --force --extra-arg -I%runtime_include app.c | FileCheck %s --check-prefix=AGAIN
// AGAIN: app.doc
// AGAIN: nothing to act on, nothing to check
// AGAIN: 0 patches

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct doc { struct doc *below; char text[20]; };
struct app { struct doc *doc; const char *name; };

static struct doc *push(struct doc *on, const char *text) {
  struct doc *d = malloc(sizeof *d);
  snprintf(d->text, sizeof d->text, "%s", text);
  d->below = on;
  return d;
}
static struct doc *load_state(const char *path) {
  char word[20];
  struct doc *all = NULL;
  FILE *f = fopen(path, "r");
  while (f && fscanf(f, "%19s", word) == 1)
    all = push(all, word);
  if (f)
    fclose(f);
  return all;
}
static void command(struct app *app, const char *line) {
  if (!strcmp(line, "x")) {
    raise(SIGKILL);
  } else if (!strcmp(line, "?")) {
    for (struct doc *d = app->doc; d; d = d->below)
      printf("%s ", d->text);
    puts("");
  } else {
    app->doc = push(app->doc, line);
  }
}
int main(void) {
  struct app app = {.name = "app"};
  char line[64];
  app.doc = load_state("data");
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    command(&app, line);
    fflush(stdout);
  }
  return 0;
}
