// Several loops wait for input after the load: what each of them does is kept.
// A loop that calls the load for each line of the file is none of them.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: sh ./run READING load_line %runtime_include "%runtime_lib" %nvmove
// RUN: sh ./run SCRIPT load %runtime_include "%runtime_lib" %nvmove
// RUN: sh ./run ARMS load %runtime_include "%runtime_lib" %nvmove
// RUN: sh ./run GOTO load %runtime_include "%runtime_lib" %nvmove
// RUN: FileCheck %s --input-file READING/again
// RUN: FileCheck %s --input-file SCRIPT/again
// RUN: FileCheck %s --input-file ARMS/again
// RUN: FileCheck %s --input-file GOTO/again
// CHECK: cy/1 bob/6 ann/5
//
// What the script does is done again at each start; the other arm is not run.
// RUN: FileCheck %s --input-file SCRIPT/out --check-prefix=TOLD
// RUN: FileCheck %s --input-file ARMS/out --check-prefix=ARMS
// TOLD: behind-load {{.*}}command() runs at each start
// ARMS-NOT: behind-load

//--- run
set -e
way=$1 load=$2 include=$3 lib=$4
shift 4
mkdir $way
cp program.c $way
cd $way
printf 'ann 5\nbob 6\n' > data
"$@" --load $load program.c -- -w -D$way > out
cat nvmove-out/patches/*.patch | patch -p1 > log
gcc -w -D$way -I $include program.c $lib -o app
printf '+cy 1\nx\n' | NVM_POOL=pool NVM_SIZE=32M ./app > log || true
echo '?' | NVM_POOL=pool ./app > again
//--- program.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct user {
  struct user *next;
  char name[12];
  int n;
};
static struct user *users;

static void set(const char *name, int n) {
  struct user *u;
  for (u = users; u && strcmp(u->name, name); u = u->next)
    ;
  if (!u) {
    u = calloc(1, sizeof *u);
    if (!u)
      abort();
    strncpy(u->name, name, 11);
    u->next = users;
    users = u;
  }
  u->n = n;
}
static void load_line(const char *line) {
  char name[20];
  int n;
  if (sscanf(line, "%19s %d", name, &n) == 2)
    set(name, n);
}
static void load(void) {
  char line[80];
  FILE *f = fopen("data", "r");
  if (!f)
    return;
  while (fgets(line, sizeof line, f))
    load_line(line);
  fclose(f);
}
static void command(const char *line) {
  char name[20];
  int n;
  struct user *u;
  if (line[0] == 'x')
    kill(getpid(), SIGKILL);
  if (line[0] == '*' && users)
    users->n++;
  if (sscanf(line, "+%19s %d", name, &n) == 2)
    set(name, n);
  for (u = users; u; u = u->next)
    printf("%s/%d ", u->name, u->n);
  printf("\n");
  fflush(stdout);
}
int main(int argc, char **argv) {
  char line[80];
  FILE *f = NULL;
#ifdef READING
  f = fopen("data", "r");
  while (fgets(line, sizeof line, f))
    load_line(line);
  fclose(f);
#else
  load();
#endif
#ifdef SCRIPT
  f = fopen("script", "r");
  while (f && fgets(line, sizeof line, f))
    command(line);
#endif
#ifdef ARMS
  if (argc > 1) {
    f = fopen(argv[1], "r");
    while (f && fgets(line, sizeof line, f))
      command(line);
  } else
    while (fgets(line, sizeof line, stdin))
      command(line);
#elif defined GOTO
again:
  if (fgets(line, sizeof line, stdin) == NULL)
    goto out;
  command(line);
  goto again;
out:
#else
  while (fgets(line, sizeof line, stdin))
    command(line);
#endif
  return 0;
}
