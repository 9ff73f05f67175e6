// What only the load sets is not set again when it is skipped. Counts come back;
// the rest may end with the process and is reported: text and pointers, too, and
// records that are copied, or set through a pointer. Not reported is what
// handlers set as well. A record that is filled with data of the file comes back
// whole.
//
// RUN: %nvmove --notes --load load --analyze-only --force --out %t.out %s > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK:      6 restored scalars
// CHECK-NEXT: average gets a value from the file
// CHECK-NEXT: current.last gets a value from the file
// CHECK-NEXT: current.mode is copied from what the load fills
// CHECK-NEXT: has_space is what the load has counted
// CHECK-NEXT: length is what the load has counted
// CHECK-NEXT: total is what the load has counted
// RUN: %python -c "import json, sys; [print(n['what']) for n in json.load(open(sys.argv[1]))['findings']]" %t.out/report.json > %t.what
// RUN: FileCheck %s --input-file %t.what --check-prefix=WHAT --implicit-check-not='is set by'
// WHAT-DAG: file_name is set by functions that only the load runs, and not restored
// WHAT-DAG: path is set by functions that only the load runs
// WHAT-DAG: backup is set by functions that only the load runs
// WHAT-DAG: when is set by functions that only the load runs
// WHAT-DAG: order is set by functions that only the load runs
// WHAT-DAG: role is set by functions that only the load runs
// WHAT-DAG: limits is set by functions that only the load runs
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct item { struct item *next; int n; };
static struct item *items;
static const char *file_name;
static char path[100], backup[100];
static time_t when;
static struct state { int mode, last; } current;
static const struct role { const char *name; int strength; }
    roles[] = {{"smith", 4}, {"thief", 2}};
static struct role role;
static int total, length, has_space, width;
static double average;
static int up(int a, int b) { return a < b; }
static int down(int a, int b) { return a > b; }
static int (*order)(int, int);
static struct limits { int least, most; } limits;
static void set_limits(struct limits *l, int most) {
  l->least = 1;
  l->most = most;
}

static int count(void) {
  int n = 0;
  for (struct item *i = items; i; i = i->next)
    n++;
  return n;
}
static void add(int c) {
  struct item *i = malloc(sizeof *i);
  if (!i)
    abort();
  i->n = c;
  i->next = items;
  items = i;
  width = rand();
}
static void load(const char *name) {
  FILE *f = fopen(name, "r");
  int c, n = 0, sum = 0, space = 0;
  struct state s = {0, 0};
  if (!f)
    return;
  file_name = name;
  strcpy(path, name);
  snprintf(backup, sizeof backup, "%s.bak", name);
  when = time(NULL);
  while ((c = getc(f)) != EOF) {
    add(c);
    n++;
    sum += c;
    s.last = c;
    if (c == ' ')
      space = 1;
  }
  s.mode = 3;
  current = s;
  role = roles[n > 9];
  total = count();
  length = n;
  average = n ? (double)sum / n : 0;
  has_space = space;
  order = sum > 500 ? up : down;
  set_limits(&limits, 7);
  fclose(f);
}
static void command(const char *line) {
  if (*line == '+') {
    add(line[1]);
    total++;
    length++;
    has_space = 0;
    current.mode = 5;
  }
  for (struct item *i = items; i; i = i->next)
    printf("%d ", i->n);
  printf("%s %s %s %d %d %d %f %d %s %d\n", file_name, path, backup, total,
         length, has_space, average, order(1, 2), role.name, current.last);
}
int main(int argc, char **argv) {
  char line[80];
  load(argv[argc - 1]);
  while (fgets(line, sizeof line, stdin))
    command(line);
  return when == 0 || width || limits.most;
}
