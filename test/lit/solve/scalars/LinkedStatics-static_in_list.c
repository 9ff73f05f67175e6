// Static records that start-up registers in a list which holds records of the
// heap, too: what the load sets in them, by name, comes back by itself. What it
// hangs there cannot, and is told.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load program.c > out
// RUN: FileCheck %s --input-file out
// CHECK-DAG: limit.n gets a value from the file
// CHECK-DAG: verbose.n gets a value from the file
// CHECK-DAG: made-at-each-start {{.*}}what is set here may be in a static struct var, which a root points to: {{[a-z]+}}.text is not restored
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: gcc -I %runtime_include program.c %runtime_lib -o app
// RUN: printf 'limit 7 a\nquit 9 b\n' > state
// RUN: echo 'verbose 5' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app
// RUN: echo > state
// RUN: echo | env NVM_POOL=%t/pool not --crash ./app > second
// RUN: FileCheck %s --input-file second --check-prefix=SECOND
// SECOND: quit=9 limit=7 verbose=5

//--- program.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct var {
  const char *name;
  int n;
  char *text;
  struct var *next;
};
static struct var verbose = {"verbose", 1, NULL, NULL},
                  limit = {"limit", 2, NULL, NULL};
static struct var *vars;

static void add(struct var *v) {
  v->next = vars;
  vars = v;
}
static struct var *find(const char *name) {
  struct var *v;
  for (v = vars; v && strcmp(v->name, name); v = v->next)
    ;
  if (!v) {
    v = calloc(1, sizeof *v);
    v->name = strdup(name);
    add(v);
  }
  return v;
}
static void load(const char *path) {
  FILE *f = fopen(path, "r");
  char name[20], text[20];
  int n;
  if (!f)
    return;
  while (fscanf(f, "%19s %d %19s", name, &n, text) == 3) {
    struct var *v = find(name);
    v->n = n;
    v->text = strdup(text);
  }
  fclose(f);
}
static void command(char *line) {
  struct var *v;
  char name[20];
  int n;
  if (sscanf(line, "%19s %d", name, &n) == 2)
    find(name)->n = n;
  for (v = vars; v; v = v->next)
    printf("%s=%d ", v->name, v->n);
  printf("\n");
  fflush(stdout);
}
int main(void) {
  char line[80];
  add(&verbose);
  add(&limit);
  load("state");
  while (fgets(line, sizeof line, stdin))
    command(line);
  raise(SIGKILL);
}
