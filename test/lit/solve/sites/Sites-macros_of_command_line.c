// Macros that the compiler's command line defines, and that hold more than the
// call or the store: there is no text that could be edited. Each is told with
// its place, and what is written in the file is announced.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s program.c
// RUN: %nvmove_act --load load program.c -- '-DNEW(p)=((p)=calloc(1,sizeof*(p)))' '-DPUT(p,v)=((p)->n=(v))' '-DCOPY(to,from)=((void)strcpy(to,from))' > out
// RUN: FileCheck %s --input-file out
// RUN: grep -h '^+' nvmove-out/patches/*.patch | FileCheck %s --check-prefix=PATCH
// CHECK: program.c:[[#NEW:]]:5 uneditable-allocation the call of calloc is not in one place of the text (in load)
// CHECK: program.c:[[#NEW]]:5 uneditable-call calloc: allocates for the heap, but the text of the call is not in one place (in load)
// CHECK: program.c:[[#NEW+2]]:5 uneditable-call strcpy: may write persistent memory: it may be in the heap, but the text of the call is not in one place (in load)
// CHECK: program.c:[[#NEW+1]]:5 uneditable-store this store cannot be announced in place (in load) (and 1 more place)
// CHECK-NEXT: -> write it out of its macro
// PATCH: NVM(i->next) = items;
// Defined in the file, all of them are edited.
// RUN: cp %s program.c && %nvmove_act --load load --force program.c -- -DIN_FILE | FileCheck %s --check-prefix=FILE --implicit-check-not=uneditable
// FILE: 2 stores announced

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef IN_FILE
#define NEW(p) ((p) = calloc(1, sizeof *(p)))
#define PUT(p, v) ((p)->n = (v))
#define COPY(to, from) ((void)strcpy(to, from))
#endif
struct item { int n; char name[16]; struct item *next; };
static struct item *items;
static void load(const char *name) {
  FILE *f = fopen(name, "r");
  char word[16];
  while (f && fscanf(f, "%15s", word) == 1) {
    struct item *i;
    NEW(i);
    PUT(i, (int)strlen(word));
    COPY(i->name, word);
    i->next = items;
    items = i;
  }
}
int main(int argc, char **argv) {
  load(argv[1]);
  for (int c; (c = getchar()) != EOF;)
    for (struct item *i = items; i; i = i->next)
      PUT(i, c);
  return 0;
}
