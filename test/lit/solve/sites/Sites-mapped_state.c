// State in memory of mmap(): private memory of no file is the heap's; what other
// processes share, or a file holds, is reported.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --load load t.c > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG --implicit-check-not=unsupported
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: gcc -Wall -Wextra -Werror -I %runtime_include t.c %runtime_lib -o t
// RUN: printf 'abcbk' | env NVM_POOL=%t/pool NVM_SIZE=64M NVM_VERIFY=1 not --crash ./t 2> err
// RUN: not grep unannounced err
// RUN: printf 'c' | env NVM_POOL=%t/pool ./t | FileCheck %s --check-prefix=GOT
// RUN: %nvmove verify --load load t.c
// RUN: %nvmove_act --load load --analyze-only --out shared %s -- -DFLAGS=MAP_SHARED | FileCheck %s --check-prefix=SHARED
//
// LOG: {{^}}  image
// GOT: 1 2 2
// SHARED: unsupported-call {{.*}}mmap: {{.*}}what it maps may be a file, or memory that other processes share
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#ifndef FLAGS
#define FLAGS MAP_PRIVATE
#endif

struct image {
  int n[26];
};
static struct image *image;

static int load(FILE *f) {
  int c;
  image = mmap(NULL, sizeof *image, PROT_READ | PROT_WRITE,
               FLAGS | MAP_ANONYMOUS, -1, 0);
  if (image == MAP_FAILED)
    return -1;
  while (f && (c = getc(f)) != EOF)
    image->n[c - 'a'] = c;
  return 0;
}

static void command(int c) {
  if (c == 'k')
    raise(SIGKILL);
  image->n[c - 'a']++;
}

int main(void) {
  int c;
  FILE *f = fopen("state", "r");
  if (load(f) < 0)
    return 1;
  if (f)
    fclose(f);
  while ((c = getchar()) != EOF)
    command(c);
  printf("%d %d %d\n", image->n[0], image->n[1], image->n[2]);
  return 0;
}
