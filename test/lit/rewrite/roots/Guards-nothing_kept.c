// The load does its work and keeps nothing of it: a later start must do it, too.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove_act --load run_jobs t.c > out
// RUN: FileCheck %s --input-file out
// CHECK: load-not-guarded
// RUN: not grep -r '^+.*nvm_restore' nvmove-out/patches
#include <stdio.h>
#include <unistd.h>
static int run_jobs(const char *name) {
  FILE *f = fopen(name, "r");
  char job[80];
  int n = 0;
  while (f && fgets(job, sizeof job, f)) {
    n++;
    printf("run %s", job);
  }
  if (f)
    fclose(f);
  fflush(stdout);
  return n;
}
int main(int argc, char **argv) {
  if (argc < 2) {
    run_jobs("jobs");
    return 0;
  }
  for (;;)
    sleep(run_jobs(argv[1]) + 1);
}
