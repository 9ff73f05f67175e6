// The id of a process in a persistent object is that of another one, or of none,
// after a restart.
//
// RUN: %nvmove --load load --analyze-only --force --out %t %s -- > %t.log
// RUN: FileCheck %s --input-file %t.log --implicit-check-not=holds-
// CHECK-DAG: holds-id {{.*}}job.pid may hold the id of a process, from fork(): a restart leaves it unchanged
// CHECK-DAG: holds-id {{.*}}job.owner may hold the id of a process, from getpid()
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct job {
  struct job *next;
  char name[16];
  pid_t pid, owner;
  int times;
};
static struct job *jobs;
static struct job *add(const char *name) {
  struct job *j = calloc(1, sizeof *j);
  strcpy(j->name, name);
  j->next = jobs;
  jobs = j;
  return j;
}
static void load(const char *file) {
  char b[16];
  int n;
  FILE *f = fopen(file, "r");
  if (!f)
    return;
  while (fscanf(f, "%15s %d", b, &n) == 2)
    add(b)->times = n;
  fclose(f);
}
static void run(struct job *j) {
  j->owner = getpid();
  j->times++;
  if ((j->pid = fork()) == 0)
    _exit(system(j->name));
}
static void command(const char *name) {
  for (struct job *j = jobs; j; j = j->next)
    if (j->pid > 0 && !strcmp(j->name, name))
      kill(j->pid, SIGTERM);
  run(add(name));
}
int main(void) {
  char b[16];
  load("state");
  while (scanf("%15s", b) == 1)
    command(b);
  return 0;
}
