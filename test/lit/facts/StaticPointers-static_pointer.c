// A static pointer that only ever holds the address of one static is another
// name of it: what hangs there is a root, and its numbers are restored or told.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load app.c > out
// RUN: FileCheck %s --input-file out
// CHECK: {{^}}  master.instances
// CHECK: {{^}}  master.items[].weight
// CHECK: master.mode {{.*}}is set only by the load
// CHECK: master.router {{.*}}gets a value from the file
// CHECK-NOT: {{set-by-load|made-at-each-start}}
// RUN: sh %S/../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'sx\nk\n' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app data > first
// RUN: FileCheck %s --input-file first --check-prefix=FIRST
// FIRST: 2: 20 10 router 7 mode 1 weight 0.5
// RUN: printf 's\n' | env NVM_POOL=%t/pool ./app data > second
// RUN: FileCheck %s --input-file second --check-prefix=SECOND
// SECOND: 2: 21 11 router 7 mode 1 weight 0.5

//--- data
7 0.5 10 20

//--- app.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct node {
  struct node *next;
  int as;
};
struct list {
  struct node *head;
  int count;
};
struct item {
  double weight;
  int least;
};
struct master {
  struct list *instances;
  int router, mode;
  struct item items[3];
};
static struct master master, *bm = NULL;

static void set_item(int i, int least) { bm->items[i].least = least; }

static void load(const char *name) {
  FILE *f = fopen(name, "r");
  int as;
  if (!f)
    abort();
  if (fscanf(f, "%d %lf", &bm->router, &bm->items[1].weight) != 2)
    abort();
  while (fscanf(f, "%d", &as) == 1) {
    struct node *n = malloc(sizeof *n);
    if (!n)
      abort();
    n->as = as;
    n->next = bm->instances->head;
    bm->instances->head = n;
    bm->instances->count++;
  }
  bm->mode = 1;
  set_item(0, 1);
  set_item(1, 2);
  fclose(f);
}

static void begin(void) {
  bm = &master;
  bm->instances = calloc(1, sizeof *bm->instances);
}

static void command(int c) {
  struct node *n;
  if (c == 's') {
    printf("%d:", bm->instances->count);
    for (n = bm->instances->head; n; n = n->next)
      printf(" %d", n->as);
    printf(" router %d mode %d weight %g\n", bm->router, bm->mode,
           bm->items[1].weight);
    fflush(stdout);
  } else if (c == 'x') {
    for (n = bm->instances->head; n; n = n->next)
      n->as++;
  } else if (c == 'k') {
    kill(getpid(), SIGKILL);
  }
}

int main(int argc, char **argv) {
  char s[80], *c;
  (void)argc;
  begin();
  load(argv[1]);
  while (fgets(s, sizeof s, stdin))
    for (c = s; *c; c++)
      command(*c);
  return 0;
}
