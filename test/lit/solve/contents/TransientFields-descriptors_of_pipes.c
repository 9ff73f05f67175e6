// Descriptors that pipe() and its like put behind an argument, in objects that
// the pool keeps: also through an array of the caller's, and an array of the
// object. They are told, and -1 in the next run. What the functions give back,
// and what may be another number, too, stays as it is.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --notes --load load program.c > out
// RUN: FileCheck %s --input-file out --implicit-check-not=worker.status
// CHECK-DAG: holds-descriptor {{.*}}worker.in may hold a descriptor of an open file, from pipe(): a restart makes it -1
// CHECK-DAG: holds-descriptor {{.*}}worker.out may hold a descriptor of an open file, from pipe(): a restart makes it -1
// CHECK-DAG: holds-descriptor {{.*}}worker.ends may hold a descriptor of an open file, from socketpair(): a restart makes it -1
// CHECK-DAG: holds-descriptor {{.*}}worker.key may hold a descriptor of an open file, from pipe(): a restart leaves it unchanged, because it may also be a number
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: gcc -I %runtime_include program.c %runtime_lib -o app
// RUN: printf abx | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: env NVM_POOL=%t/pool ./app < /dev/null >> log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG:      98 -1 -1 -1 -1 0
// LOG-NEXT: 97 -1 -1 -1 -1 0

//--- program.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
struct worker {
  struct worker *next;
  int id, in, out, key, status, ends[2];
};
static struct worker *workers;
static struct worker *add(int id) {
  struct worker *w = calloc(1, sizeof *w);
  if (!w)
    exit(1);
  w->id = id;
  w->next = workers;
  workers = w;
  return w;
}
static void load(const char *path) {
  FILE *file = fopen(path, "r");
  for (int id; file && (id = getc(file)) != EOF;)
    add(id);
  if (file)
    fclose(file);
}
static int make(int *ends) { return pipe(ends); }
static void start(struct worker *w) {
  int in[2], out[2];
  w->status = make(in);
  if (pipe(out) || socketpair(AF_UNIX, SOCK_STREAM, 0, w->ends))
    exit(1);
  w->in = in[1];
  w->out = out[0];
  w->key = w->id % 2 ? w->id : out[1];
}
int main(void) {
  load("workers");
  for (int c; (c = getchar()) != EOF;)
    if (c == 'x')
      raise(SIGKILL);
    else
      start(add(c));
  for (struct worker *w = workers; w; w = w->next)
    printf("%d %d %d %d %d %d\n", w->id, w->in, w->out, w->ends[0], w->ends[1],
           w->status);
  return 0;
}
