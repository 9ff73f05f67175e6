// What a library has made for the load and takes back at its end is no state,
// though a static still holds the address, and a header tells what it looks
// like. Not where it is taken back on one way alone. So it is in the patched
// program, where nvm_strdup() copies text.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove_act --load load --out out t.c > log
// RUN: FileCheck %s --input-file log --implicit-check-not='cfg leads'
// RUN: sh %S/../../rewrite/Inputs/apply out/patches %runtime_include t.c
// RUN: %nvmove --load load --print types t.c | FileCheck %s --check-prefix=AGAIN --match-full-lines --implicit-check-not=cfg
// AGAIN-DAG: item
// AGAIN-DAG: section
// CHECK: 2 persistent types
// CHECK-DAG: {{^}}  item
// CHECK-DAG: {{^}}  section
// CHECK: level gets a value from the file
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct cfg { int line; char *name; struct cfg *next; };
struct section { int line; char *title; };
struct cfg *cfg_init(const char *name);
int cfg_parse(struct cfg *);
long cfg_getint(struct cfg *, const char *key);
char *cfg_getstr(struct cfg *, const char *key);
void cfg_free(struct cfg *);
struct section *section_read(struct cfg *, const char *key);
void section_free(struct section *);
struct item { char *name; struct item *next; };
static struct item *items;
static struct cfg *cfg;
static struct section *section;
static long level;
static int load(const char *name) {
  struct item *i;
  cfg = cfg_init(name);
  if (!cfg)
    return 1;
  if (cfg_parse(cfg))
    goto done;
  level = cfg_getint(cfg, "level");
  section = section_read(cfg, "section");
  if (level > 3)
    section_free(section);
  i = malloc(sizeof *i);
  i->name = strdup(cfg_getstr(cfg, "name"));
  i->next = items;
  items = i;
done:
  cfg_free(cfg);
  return 0;
}
int main(void) {
  load("state");
  for (int c; (c = getchar()) != EOF;)
    printf("%d %ld %s %s\n", c, level, items->name, section->title);
  return 0;
}
