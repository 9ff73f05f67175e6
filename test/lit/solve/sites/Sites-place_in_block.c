// Functions that are handed a place in the block that they resize: the block would be a copy, and the place in the
// heap's block. They are to act on and stay as they are.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove_act --load load t.c > log
// RUN: FileCheck %s --input-file log
// CHECK: t.c:{{[0-9]+}}:5 unsupported-call argz_insert: allocates for the heap, but the runtime has no replacement for it
// CHECK: t.c:{{[0-9]+}}:5 unsupported-call argz_delete: allocates for the heap, but the runtime has no replacement for it
// RUN: sh -c 'grep -h "^+" nvmove-out/patches/*.patch' | FileCheck %s --check-prefix=PATCH
// PATCH-NOT: NVM_IN_OUT(&words), {{.*}}, words
#define _GNU_SOURCE
#include <argz.h>
#include <stdio.h>
#include <string.h>

static char *words;
static size_t words_bytes;

static void load(FILE *f) {
  char word[16];
  while (fscanf(f, "%15s", word) == 1)
    argz_add(&words, &words_bytes, word);
}
static void handle(const char *line) {
  if (line[0] == '+')
    argz_insert(&words, &words_bytes, words, line + 1);
  else
    argz_delete(&words, &words_bytes, words);
}
int main(void) {
  char line[16];
  FILE *f = fopen("words", "r");
  if (f)
    load(f);
  while (fgets(line, sizeof line, stdin)) {
    handle(line);
    printf("%zu\n", words_bytes);
  }
  return 0;
}
