// Settings that are made from text of the file by comparison are numbers of the
// file. Where a comparison only says whether something is there, or stands in
// what a call is handed, it is none.
//
// RUN: rm -rf %t && %nvmove --load load --out %t %s -- -w > %t.out
// RUN: FileCheck %s --input-file %t.out
// RUN: not grep 'is_open  gets\|logged  gets' %t.out
// CHECK-DAG: enabled  gets a value from the file
// CHECK-DAG: checks  gets a value from the file
// CHECK-DAG: plain  gets a value from the file
// CHECK-DAG: word  gets a value from the file
// CHECK-DAG: both  gets a value from the file
// CHECK-DAG: first  gets a value from the file
// CHECK-DAG: second  gets a value from the file
// CHECK-DAG: told  gets a value from the file
// CHECK-DAG: options.deep  gets a value from the file
// CHECK-DAG: set-by-load {{.*}}by_branch is set by the load
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define TRUE 1
#define FALSE 0
struct item { struct item *next; int n; };
struct options { int deep; };
static struct item *all;
static int enabled = TRUE, checks = 1, plain, by_branch, word, both, first,
           second, told, is_open, logged;
static struct options options;
static FILE *out;
static int is_yes(const char *s) { return strcmp(s, "yes") == 0; }
static int log_to(int verbose) { out = verbose ? stdout : stderr; return 0; }
static void set(struct options *o, const char *val) { o->deep = val[0] == 'd'; }
static void load(const char *p) {
  FILE *f = fopen(p, "r");
  char var[40], val[40];
  if (!f) return;
  while (fscanf(f, "%39s %39s", var, val) == 2) {
    if (!strcmp(var, "enabled")) enabled = (atoi(val) > 0) ? TRUE : FALSE;
    else if (!strcmp(var, "checks")) checks = atoi(val) > 0;
    else if (!strcmp(var, "plain")) plain = atoi(val);
    else if (!strcmp(var, "word")) word = !strcmp(val, "yes");
    else if (!strcmp(var, "both")) both = val[0] == 'y' && plain;
    else if (!strcmp(var, "chain")) first = second = strchr(val, 'x') != NULL;
    else if (!strcmp(var, "told")) told = !is_yes(val);
    else if (!strcmp(var, "deep")) set(&options, val);
    else if (!strcmp(var, "by_branch")) { if (!strcmp(val, "yes")) by_branch = 1; else by_branch = 0; }
    else if (!strcmp(var, "log")) { logged = log_to(atoi(val) > 2) == 0; is_open = out != NULL; }
    else { struct item *i = malloc(sizeof *i); i->n = atoi(val); i->next = all; all = i; }
  }
  fclose(f);
}
static void command(char *l) {
  if (*l == 'e') enabled = checks = word = both = first = second = told = atoi(l + 1) > 0;
  if (*l == 'v') by_branch = !by_branch;
  if (*l == 'd') set(&options, l + 1);
  printf("%d %d %d %d %d %d\n", enabled, checks, plain, by_branch, word, options.deep);
}
int main(int argc, char **argv) {
  char l[80];
  load(argv[1]);
  while (fgets(l, 80, stdin)) command(l);
  return 0;
}
