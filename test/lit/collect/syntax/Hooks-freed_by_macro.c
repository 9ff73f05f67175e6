// A macro frees a local and makes it null. Rewritten, it takes no more of the
// local's address than before: a static that was set to it is no root of the
// rewritten program either.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load program.c > out
// RUN: FileCheck %s --input-file out
// CHECK:      1 root
// CHECK-NEXT:   hosts
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c --check-prefix=TEXT
// TEXT: #define FREE(p) (nvm_free(p), NVM(p) = NULL)
// RUN: %nvmove verify --load load program.c

//--- program.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define FREE(p) (free(p), (p) = NULL)

struct host {
  struct host *next;
  char *name;
};
static struct host *hosts;
static char *line;

static void *make(size_t n) {
  void *p = calloc(1, n);
  if (!p)
    abort();
  return p;
}
static char *word(void) {
  char *s = make(strlen(line) + 1);
  strcpy(s, line);
  return s;
}
static void load(const char *file) {
  char *buffer;
  FILE *f = fopen(file, "r");
  if (!f)
    return;
  buffer = make(256);
  while (fgets(buffer, 256, f)) {
    struct host *h = make(sizeof *h);
    line = buffer;
    h->name = word();
    h->next = hosts;
    hosts = h;
  }
  fclose(f);
  FREE(buffer);
}
static void command(int c) {
  struct host *h = hosts;
  if (!h)
    return;
  if (c == 'd') {
    hosts = h->next;
    FREE(h->name);
    FREE(h);
  } else {
    h->name[0] = (char)c;
  }
}
int main(int argc, char **argv) {
  int c;
  load(argv[argc - 1]);
  while ((c = getchar()) != EOF)
    command(c);
  return 0;
}
