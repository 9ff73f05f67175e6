// What only a library knows, and gives to the program, is no root, though the
// load may write through a pointer that may lead there. Where the load puts it
// there itself it is told.
//
// RUN: cd %S
// RUN: %nvmove_act --load load --analyze-only --force --out %t.out Cells-record_of_library.c -- -std=gnu11 > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK:      3 roots
// CHECK-NEXT: icon {{.*}} listed only: memory of a library, struct widget
// CHECK-NEXT: items
// CHECK-NEXT: jobs
// CHECK:      library-memory icon leads to memory of a library (struct widget)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct widget;
struct widget *open_window(const char *);
void show(struct widget *, const char *);
struct item { struct item *next; char name[16]; float size; };
struct job { struct job *next; void (*run)(void *); void *to; };
static struct item *items;
static struct job *jobs;
static struct widget *top, *icon;
static FILE *in;

static void set(void *to) {
  float x;
  if (in && fscanf(in, "%f", &x) == 1)
    *(float *)to = x;
}
static void lift(void *to) { show(to, "raised"); }

static void add(void (*run)(void *), void *to) {
  struct job *j = malloc(sizeof *j);
  j->run = run;
  j->to = to;
  j->next = jobs;
  jobs = j;
}

static void run(void) {
  struct job *j;
  while ((j = jobs)) {
    j->run(j->to);
    jobs = j->next;
    free(j);
  }
}

static void load(const char *name) {
  char line[16];
  in = fopen(name, "r");
  while (fscanf(in, "%15s", line) == 1) {
    struct item *i = calloc(1, sizeof *i);
    strcpy(i->name, line);
    i->next = items;
    items = i;
    add(set, &i->size);
    add(lift, top);
    run();
    icon = open_window(line);
    add(set, icon);
  }
  fclose(in);
  in = NULL;
}

int main(int argc, char **argv) {
  char l[80];
  top = open_window("x");
  load(argv[argc - 1]);
  while (fgets(l, 80, stdin)) {
    items->name[0]++;
    show(top, items->name);
    show(icon, items->name);
  }
  return 0;
}
