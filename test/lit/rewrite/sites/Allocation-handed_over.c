// Library functions that put a new block where an argument points, or make one
// where they are handed null: the block is the heap's if persistent objects get
// it, through a local variable, too. Where there is no nvm_ form the heap gets a copy.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load program.c > out
// RUN: FileCheck %s --input-file out
// CHECK: 2 persistent types
// CHECK-NEXT: {{^}}  rec
// CHECK-NEXT: {{^}}  page
// CHECK-NOT: {{unsupported|unannounced}}-call
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c --check-prefix=TEXT
// TEXT: if (nvm_posix_memalign(&block, 64, size))
// TEXT: if (NVM_ALLOC_OUT(page, nvm_posix_memalign((void **)&p, 64, sizeof *p)))
// TEXT: NVM_ALLOC_OUT(bytes, nvm_asprintf(&name, "name%d", n))
// TEXT: NVM(r->length) = NVM_ALLOC_OUT(bytes, nvm_getline(&r->line, &r->capacity, f));
// TEXT: place = NVM_ALLOC(bytes, nvm_realpath(".", NULL));
// TEXT: (f && getline(&scratch, &n, f)
// TEXT: NVM_ALLOC(bytes, nvm_reallocarray(
// TEXT: nvm_bzero(
// TEXT: nvm_bcopy(
// TEXT: *(char *)nvm_mempcpy(
// TEXT: NVM_ALLOC_OUT(bytes, nvm_open_memstream(&text, &size))
// TEXT: NVM_ALLOC_OUT(bytes, NVM_ADOPT_OUT(sscanf(from, "%ms", NVM_OUT(&word)))) == 1
// RUN: gcc -I %runtime_include program.c %runtime_lib -o app
// RUN: printf '1 one\n2 two\n' > state
// RUN: printf 'ax' | env NVM_POOL=%t/pool NVM_SIZE=32M NVM_VERIFY=1 not --crash ./app kept > log 2> err
// RUN: not grep unannounced err
// RUN: env NVM_POOL=%t/pool ./app < /dev/null > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG:      2 name2  two 5 2: copy/ ok kept <kept>
// LOG-NEXT: 1 name1  one 5 1: copy/ ok

//--- program.c
#define _GNU_SOURCE
#pragma GCC diagnostic ignored "-Wformat"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

struct page {
  struct page *next;
  int hits;
};
struct rec {
  struct rec *next;
  int n;
  char *name, *line, *place, *word, *text, *copy;
  size_t capacity;
  long length;
};
static struct rec *all;
static struct page *pages;

static void *take(size_t size) {
  void *block = NULL;
  if (posix_memalign(&block, 64, size))
    abort();
  return block;
}
static void add_page(void) {
  struct page *p;
  if (posix_memalign((void **)&p, 64, sizeof *p))
    abort();
  p->hits = 0;
  p->next = pages;
  pages = p;
}
static void load(void) {
  int n;
  FILE *f = fopen("state", "r");
  if (!f)
    return;
  while (fscanf(f, "%d", &n) == 1) {
    struct rec *r = take(sizeof *r);
    char *name, *place;
    memset(r, 0, sizeof *r);
    r->n = n;
    if (asprintf(&name, "name%d", n) < 0)
      abort();
    r->name = name;
    r->length = getline(&r->line, &r->capacity, f);
    place = realpath(".", NULL);
    r->place = place;
    add_page();
    r->next = all;
    all = r;
  }
  fclose(f);
}
static long count(const char *path) {
  char *scratch = NULL;
  size_t n = 0;
  long lines = 0;
  FILE *f = fopen(path, "r");
  while (f && getline(&scratch, &n, f) >= 0)
    lines++;
  free(scratch);
  return lines;
}
static void command(int c) {
  struct rec *r;
  if (c == 'x')
    kill(getpid(), SIGKILL);
  for (r = all; r; r = r->next) {
    r->copy = reallocarray(r->copy, 10, 2);
    bzero(r->copy, 20);
    bcopy("copy", r->copy, 4);
    *(char *)mempcpy(r->copy + 4, "/-", 1) = 0;
    pages->hits++;
  }
}
static void keep(struct rec *r, const char *from) {
  char *word = NULL, *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  if (f) {
    fprintf(f, "<%s>", from);
    fclose(f);
  }
  r->text = text;
  if (sscanf(from, "%ms", &word) == 1)
    r->word = word;
}
int main(int argc, char **argv) {
  int c;
  load();
  if (argc > 1)
    keep(all, argv[1]);
  while ((c = getchar()) != EOF)
    command(c);
  for (struct rec *r = all; r; r = r->next) {
    r->line[r->length - 1] = 0;
    printf("%d %s %s %ld %d: %s %s %s %s\n", r->n, r->name, r->line, r->length, r->n,
           r->copy, *r->place == '/' && pages && count("state") == 2 ? "ok" : "",
           r->word ? r->word : "", r->text ? r->text : "");
  }
  return 0;
}
