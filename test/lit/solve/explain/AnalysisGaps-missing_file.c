// A file of the program was not given: what its functions load, keep or make is
// not seen, and the report says which they are. What they make for the load counts
// as loaded; it cannot be put into the pool, hence nothing is guarded.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove_act --notes --load load --out missing main.c > out 2> log
// RUN: FileCheck %s --input-file out
// CHECK:     {{^}}  item {{.*}}first
// CHECK-DAG: no-body {{.*}}log_line has no body in these files: what it loads, or keeps, is not seen; add its source file (in load)
// CHECK-DAG: no-body {{.*}}make_item has no body in these files: {{.*}}; the struct item that it returns counts as loaded; add its source file (in load)
// CHECK-DAG: no-body {{.*}}load_more has no body in these files: {{.*}} (in load)
// CHECK-DAG: no-allocation {{.*}}struct item is persistent, but no call is known that allocates it
// CHECK-DAG: load-not-guarded
// RUN: not grep -E "no-body .*(fopen|fscanf|atoi|later)" out
//
// With the file.
// RUN: %nvmove --notes --load load --out whole main.c item.c > out
// RUN: not grep -E "no-body|no-allocation|load-not-guarded" out
// RUN: grep -q "if (!nvm_restore())" whole/patches/1-roots.patch
//
// Nothing is found at all: the hint names them.
// RUN: %nvmove_act --notes --load load --out nothing nothing.c > out 2> log
// RUN: FileCheck %s --input-file log --check-prefix=NOTHING
// NOTHING: nothing that load creates is reachable from static memory {{.*}}; these files do not define load_more, log_line, which it calls [nothing-persistent]

//--- item.h
#include <stdio.h>
struct item { struct item *next; int id; };
struct item *make_item(int id);
void load_more(FILE *f);
void log_line(const char *s);
void later(void);

//--- main.c
#include "item.h"
#include <stdlib.h>
struct item *first;
static void link_it(struct item **at, struct item *i) { *at = i; }
static void load(const char *path) {
  int id;
  FILE *f = fopen(path, "r");
  if (!f) return;
  log_line("loading");
  while (fscanf(f, "%d", &id) == 1)
    link_it(&first, make_item(id));
  load_more(f);
  fclose(f);
}
int main(int argc, char **argv) {
  char line[80];
  if (argc < 2) return 1;
  load(argv[1]);
  while (fgets(line, sizeof line, stdin)) {
    later();
    if (first) first->id += atoi(line);
  }
  return 0;
}

//--- nothing.c
#include "item.h"
static void load(const char *path) {
  FILE *f = fopen(path, "r");
  if (!f) return;
  log_line("loading");
  load_more(f);
  fclose(f);
}
int main(int argc, char **argv) {
  char line[80];
  if (argc < 2) return 1;
  load(argv[1]);
  while (fgets(line, sizeof line, stdin)) later();
  return 0;
}

//--- item.c
#include "item.h"
#include <stdlib.h>
extern struct item *first;
struct item *make_item(int id) {
  struct item *i = malloc(sizeof *i);
  if (!i) exit(1);
  i->id = id;
  i->next = first;
  return i;
}
void load_more(FILE *f) {
  int id;
  while (fscanf(f, "more %d", &id) == 1) first = make_item(id);
}
void log_line(const char *s) { fprintf(stderr, "%s\n", s); }
void later(void) { log_line("command"); }
