// regcomp() keeps memory of its own behind pointers in the record that it is
// handed: of no use to the next run. The record is left out of the pool, and what
// led to it is null. Where a persistent record holds it, that is reported.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove_act --load load program.c > out
// RUN: FileCheck %s --input-file out
// CHECK-DAG: library-memory {{.*}}filter.reg leads to memory of regcomp(), which the pool cannot keep: a restart makes it null
// CHECK-DAG: library-memory {{.*}}filter.own leads to memory of regcomp(), which the pool cannot keep: after a restart it is dead
// CHECK-DAG: pointer-to-volatile {{.*}}filter.convert may point to what iconv_open() returns: a restart makes it null
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c --check-prefix=TEXT
// TEXT:     regex_t *r = malloc(sizeof *r);
// TEXT:     NVM_VOLATILE(struct filter, reg),
// RUN: gcc -I %runtime_include program.c %runtime_lib -o app
// RUN: printf 'a b' > data
// RUN: printf 'ax' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: printf 'a' | env NVM_POOL=%t/pool ./app > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG:      b none 20
// LOG-NEXT: a none 20

//--- program.c
#include <iconv.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct filter {
  struct filter *next;
  regex_t *reg, own;
  iconv_t convert;
  char text[16];
  int used;
};
static struct filter *filters;

static regex_t *compile(const char *text) {
  regex_t *r = malloc(sizeof *r);
  if (r && regcomp(r, text, REG_EXTENDED | REG_NOSUB)) {
    free(r);
    return NULL;
  }
  return r;
}
static void load(void) {
  char text[16];
  FILE *f = fopen("data", "r");
  if (!f)
    return;
  while (fscanf(f, "%15s", text) == 1) {
    struct filter *e = malloc(sizeof *e);
    if (!e)
      abort();
    e->reg = compile(text);
    e->convert = iconv_open("UTF-8", "LATIN1");
    strcpy(e->text, text);
    if (regcomp(&e->own, text, REG_NOSUB))
      e->text[0] = '?';
    e->next = filters;
    e->used = 0;
    filters = e;
  }
  fclose(f);
}
static void command(const char *line) {
  struct filter *e;
  if (line[0] == 'x')
    kill(getpid(), SIGKILL);
  for (e = filters; e; e = e->next) {
    e->used++;
    if (e->reg)
      printf("%s %d\n", e->text, regexec(e->reg, line, 0, NULL, 0));
    else
      printf("%s none %d%d\n", e->text, e->used, e->convert != NULL);
  }
}
int main(void) {
  int c;
  load();
  while ((c = getchar()) != EOF) {
    char line[2] = {0, 0};
    line[0] = (char)c;
    command(line);
  }
  return 0;
}
