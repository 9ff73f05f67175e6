// Numbers that the load does not read, but that say how large what it makes is
// and where in it things lie: the table's size is guessed from the file's, the
// other is the same in each run. Without the load they would be zero, as would
// be the flag that says that it is done. What says that the log is open is only
// listed: the log is closed again in the next run.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load --section command app.c > out
// RUN: FileCheck %s --input-file out --check-prefix=OUT
// OUT: 3 restored scalars
// OUT: buckets is an index or offset into what is loaded
// OUT: ready is set only by the load
// OUT: room is the size of what is loaded
// OUT: set-by-load {{.*}}log_is_open is set only by the load, and not restored
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 's' | env NVM_POOL=%t/pool NVM_SIZE=32M ./app data > first 2> log
// RUN: FileCheck %s --input-file first --check-prefix=FIRST
// FIRST: 8 of 8 places: 1 2 3, then 0
// RUN: printf 'usk' | env NVM_POOL=%t/pool not --crash ./app data > second 2>> log
// RUN: printf 's' | env NVM_POOL=%t/pool ./app > third 2>> log
// RUN: diff second third
// RUN: FileCheck %s --input-file third --check-prefix=THIRD
// THIRD: 8 of 8 places: 1 2 3, then 9

//--- data
1 2 3

//--- app.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct item { int id; struct item *next; };
static struct item **table;
static unsigned buckets;
static int *recent;
static unsigned room;
static int descriptor; /* not to be restored */
static int ready, log_is_open;

static void note(const char *text) {
  if (!log_is_open) {
    log_is_open = 1;
  }
  fprintf(stderr, "%s\n", text);
}

static unsigned place(int id) {
  unsigned hash = 5381u + (unsigned)id;
  return hash % buckets;
}

static void load(const char *name) {
  struct stat status;
  FILE *in = fopen(name, "r");
  int id;
  if (!in)
    return;
  descriptor = fileno(in);
  fstat(descriptor, &status);
  buckets = (unsigned)status.st_size + 1;
  table = calloc(buckets, sizeof *table);
  unsigned n = 8;
  recent = calloc(n, sizeof *recent);
  room = n;
  while (fscanf(in, "%d", &id) == 1) {
    struct item *it = malloc(sizeof *it);
    it->id = id;
    it->next = table[place(id)];
    table[place(id)] = it;
  }
  fclose(in);
  note("loaded");
  ready = 1;
}

static void show(void) {
  if (!ready)
    return;
  printf("%u of %u places:", buckets, room);
  for (int id = 1; buckets && id < 4; id++)
    for (struct item *it = table[place(id)]; it; it = it->next)
      if (it->id == id)
        printf(" %d", it->id);
  printf(", then %d\n", room ? recent[room - 1] : -1);
  fflush(stdout);
}

static void command(int c) {
  if (c == 'u')
    recent[room - 1] = 9;
}

int main(int argc, char **argv) {
  load(argc > 1 ? argv[1] : "/nowhere");
  for (int c; (c = getchar()) != EOF;) {
    command(c);
    if (c == 's')
      show();
    if (c == 'k')
      kill(getpid(), SIGKILL);
  }
  return 0;
}
