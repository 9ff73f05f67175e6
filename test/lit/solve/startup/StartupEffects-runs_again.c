// What start-up does beside the load runs at each start, on what came back. A
// load in a loop that also makes what it fills is not guarded; one result for
// several calls, and changes after the load, are told.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove_act --notes --load load --out loop loop.c > out
// RUN: FileCheck %s --input-file out --check-prefix=LOOP
// RUN: not grep nvm_restore loop/patches/1-roots.patch
// LOOP: load-not-guarded {{.*}}it is called in a loop that also writes queues (loop.c:[[#]]), which is restored by then
//
// RUN: %nvmove --notes --load load --out files files.c > out
// RUN: FileCheck %s --input-file files/patches/1-roots.patch --check-prefix=FILES
// RUN: not grep -E "load-not-guarded|load-runs-again|behind-load" out
// FILES: if (!nvm_restore()) load(argv[i]);
//
// RUN: %nvmove_act --notes --load load --out each each.c > out
// RUN: FileCheck %s --input-file out --check-prefix=EACH
// EACH: load-runs-again {{.*}}start-up gets here more than once, by each.c:[[#]]: NVM_LOAD() keeps one result for all
// RUN: FileCheck %s --input-file out --check-prefix=AROUND
// AROUND: load-condition {{.*}}start-up may reach the main loop without this load: the section that nvm_start() begins then never ends
// RUN: %nvmove_act --notes --load load --out cut cut.c > out
// RUN: FileCheck %s --input-file out --check-prefix=CUT
// CUT: load-condition {{.*}}the load is under a condition, and the end of the statement around it is unknown
// RUN: %nvmove --notes --load load --out late late.c > out
// RUN: FileCheck %s --input-file out --check-prefix=LATE
// LATE: load-condition {{.*}}the main loop is before this load
// RUN: %nvmove --notes --load load --out either each.c -- -DEITHER > out
// RUN: not grep -E "load-runs-again|load-condition" out
//
// RUN: %nvmove --notes --load load --out behind behind.c > out
// RUN: FileCheck %s --input-file out --check-prefix=BEHIND --implicit-check-not=behind-load
// BEHIND:      behind-load {{.*}}second() runs at each start, on restored state, and changes struct server.uses depending on its old value (behind.c:[[#]])
// BEHIND: behind-load {{.*}}cleanup() runs at each start, on restored state, and writes the root stack, which code before the load also creates (behind.c:[[#]])
// BEHIND: behind-load {{.*}}fixup() runs at each start, on restored state, and changes struct server.port depending on its old value (behind.c:[[#]])
// BEHIND: behind-load {{.*}}the code after the load runs at each start, on restored state, and changes starts depending on its old value (behind.c:[[#]])
// RUN: %nvmove_act --notes --load load --out guarded behind.c -- -DGUARDED > out
// RUN: not grep behind-load out
// RUN: FileCheck %s --input-file out --check-prefix=GUARDED
// GUARDED: load-condition {{.*}}start-up may reach the main loop without this load: the section that nvm_start() begins then never ends
// RUN: %nvmove --notes --load load --out before before.c | FileCheck %s --check-prefix=BEFORE --implicit-check-not=before-load
// BEFORE: before-load {{.*}}built_in() runs at each start before the load, and adds to the root items (before.c:[[#]]): the restored state replaces it

//--- loop.c
#include <stdio.h>
#include <stdlib.h>
struct file { int nr; };
struct queue { char name[20]; struct file *write; };
static struct queue *queues[2];
static void load(struct queue *q) {
  int n;
  FILE *f = fopen(q->name, "r");
  if (!f) return;
  if (fscanf(f, "%d", &n) == 1) {
    q->write = malloc(sizeof *q->write);
    q->write->nr = n;
  }
  fclose(f);
}
static void start(struct queue *q) {
  load(q);
  printf("%s\n", q->name);
}
int main(void) {
  int i, c;
  for (i = 0; i < 2; i++) {
    queues[i] = calloc(1, sizeof *queues[i]);
    snprintf(queues[i]->name, 20, "q%d", i);
    start(queues[i]);
  }
  while ((c = getchar()) != EOF) queues[c & 1]->write->nr++;
  return 0;
}

//--- files.c
#include <stdio.h>
#include <stdlib.h>
struct item { int n; struct item *next; };
static struct item *items;
static int verbose;
static void load(const char *name) {
  int n;
  FILE *f = fopen(name, "r");
  if (!f) return;
  while (fscanf(f, "%d", &n) == 1) {
    struct item *i = malloc(sizeof *i);
    i->n = n;
    i->next = items;
    items = i;
  }
  fclose(f);
}
static void show(void) {
  struct item *i;
  for (i = items; i; i = i->next) printf("%d\n", i->n);
}
static void step(int n) { if (items) items->n += n; }
int main(int argc, char **argv) {
  int i, c;
  for (i = 1; i < argc; i++) {
    if (argv[i][0] == '-')
      verbose++;
    else
      load(argv[i]);
  }
  if (verbose) show();
  while ((c = getchar()) != EOF) step(c);
  return 0;
}

//--- late.c
#include <stdio.h>
#include <stdlib.h>
struct item { struct item *next; int n; };
static struct item *items;
static void add(int n) {
  struct item *i = malloc(sizeof *i);
  i->n = n;
  i->next = items;
  items = i;
}
static void load(FILE *f) {
  int n;
  while (fscanf(f, "%d", &n) == 1)
    add(n);
}
int main(int argc, char **argv) {
  char line[80];
  while (argc > 1 && fgets(line, sizeof line, stdin))
    add(atoi(line));
  load(stdin);
  for (struct item *i = items; i; i = i->next)
    printf("%d", i->n);
  return argv != 0;
}

//--- each.c
#include <stdio.h>
#include <stdlib.h>
struct file { int nr; };
struct queue { int size; struct file *write; };
static struct queue queues[2];
static int load(struct queue *q, const char *name) {
  int n;
  FILE *f = fopen(name, "r");
  if (!f) return -1;
  if (fscanf(f, "%d", &n) != 1) { fclose(f); return -2; }
  q->write = malloc(sizeof *q->write);
  q->write->nr = n;
  fclose(f);
  return 0;
}
static const char *last;
static int make(struct queue *q, const char *name) {
  int r;
  r = load(q, name);
  last = name;
  if (r != 0) q->write = calloc(1, sizeof(struct file));
  return 0;
}
int main(int argc, char **argv) {
  int c, failed = 0;
#ifdef EITHER
  if (argc > 1)
    failed += make(&queues[0], argv[1]);
  else
    failed += make(&queues[0], "state");
#else
  int i;
  for (i = 1; i < argc; i++) failed += make(&queues[i - 1], argv[i]);
#endif
  if (failed) return 1;
  while ((c = getchar()) != EOF) queues[c & 1].write->nr++;
  return 0;
}

//--- behind.c
#ifdef GUARDED
#include <nvmove/nvm.h>
#endif
#include <stdio.h>
#include <stdlib.h>
struct server { struct server *next; int port, uses; };
struct stack { int n; struct server *at[4]; };
static struct server *servers;
static struct stack *stack;
static int starts, names;
static void prepare(void) { stack = calloc(1, sizeof *stack); }
static void load(const char *name) {
  int c;
  FILE *f = fopen(name, "rb");
  if (!f) return;
  if (fscanf(f, "%d", &starts) != 1) return;
  while ((c = fgetc(f)) != EOF) {
    struct server *s = calloc(1, sizeof *s);
    s->port = c;
    s->next = servers;
    servers = s;
    stack->at[stack->n & 3] = s;
    stack->n++;
  }
  fclose(f);
}
static void cleanup(void) {
  free(stack);
  stack = NULL;
}
static void fixup(void) {
  struct server *s;
  for (s = servers; s; s = s->next) s->port += 1000;
}
static void second(void) { if (servers) servers->uses++; }
static void absolute(void) { if (servers) servers->uses = 1; }
static void unrelated(void) { names++; }
static void command(int c) {
  if (c == 'x') servers = servers->next;
  if (servers) servers->port++;
}
static void serve(void) {
  int c;
  second();
  while ((c = getchar()) != EOF) command(c);
  fixup(); /* the program ends */
}
int main(int argc, char **argv) {
  (void)argc;
  prepare();
#ifdef GUARDED
  if (!nvm_restore()) {
    load(argv[1]);
    cleanup();
    fixup();
    starts++;
    second();
  }
  {
    int c;
    while ((c = getchar()) != EOF) command(c);
  }
#else
  load(argv[1]);
  cleanup();
  fixup();
  absolute();
  unrelated();
  starts++;
  serve();
  fixup();
#endif
  return 0;
}
//--- before.c
#include <stdio.h>
#include <stdlib.h>
struct item { struct item *next; int n; };
static struct item *items, *other;
static void add(int n) {
  struct item *i = malloc(sizeof *i);
  i->n = n;
  i->next = items;
  items = i;
}
static void built_in(void) { add(0); }
static void note(void) {
  struct item *i = malloc(sizeof *i);
  i->n = 1;
  i->next = other;
  other = i;
}
static void load(void) {
  FILE *f = fopen("data", "r");
  int n;
  while (f && fscanf(f, "%d", &n) == 1) add(n);
}
static void command(int c) { add(c); printf("%d\n", items->n + other->n); }
int main(void) {
  int c;
  note();
  built_in();
  load();
  while ((c = getchar()) != EOF) command(c);
  return 0;
}

//--- cut.c
#include <stdio.h>
#include <stdlib.h>
struct file { int nr; struct file *next; };
static struct file *files;
#define GIVEN(n) if (argc > n) {
#define END }
static void load(const char *name) {
  int n;
  FILE *f = fopen(name, "r");
  if (!f) return;
  while (fscanf(f, "%d", &n) == 1) {
    struct file *e = malloc(sizeof *e);
    e->nr = n; e->next = files; files = e;
  }
  fclose(f);
}
int main(int argc, char **argv) {
  int c;
  GIVEN(1)
    load(argv[1]);
  END
  while ((c = getchar()) != EOF) if (files) files->nr++;
  return 0;
}
