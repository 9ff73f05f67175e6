// A number that a helper puts where the load keeps it for a moment, as the text
// of the file says, goes on to a static: it comes back. Where the helper does
// more than read, that is told; a descriptor it opens ends with the process.
//
// RUN: %nvmove --load load --out %t --force %s -- -w | FileCheck %s
// CHECK: 4 restored scalars
// CHECK-NEXT: level gets a value from the file
// CHECK-NEXT: link_detect gets a value from the file
// CHECK-NEXT: random_id gets a value from the file
// CHECK-NEXT: wide gets a value from the file
// CHECK-NOT: {{log_fd|level|link_detect|random_id|wide}} is set by the load,
// CHECK: holds-descriptor{{ +}}trace_fd, log_fd is set by the load to a descriptor of an open file, from open(): it is not restored
// CHECK: set-by-load{{ +}}logging is set by the load, but not restored
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { struct item *next; int n; };
static struct item *all;
static int link_detect, random_id, level = -1, wide, log_fd = -1, logging,
           trace_fd = -1;
static FILE *out;
static int get_bool(FILE *f, int *result) {
  char t[20];
  if (fscanf(f, "%19s", t) != 1)
    return -1;
  if (!strcmp(t, "yes"))
    *result = 2;
  else if (!strcmp(t, "no"))
    *result = 1;
  else
    return -1;
  return 0;
}
static int get_log(FILE *f, int *fd) {
  char t[20];
  if (fscanf(f, "%19s", t) != 1 || !strcmp(t, "no"))
    return -1;
  return (*fd = open(t, O_WRONLY)) < 0;
}
static int get_out(FILE *f, int *opened) {
  char t[20];
  if (fscanf(f, "%19s", t) != 1 || !strcmp(t, "no"))
    return -1;
  out = stdout;
  *opened = 1;
  return 0;
}
static void load(const char *p) {
  FILE *f = fopen(p, "r");
  char var[40];
  if (!f) return;
  while (fscanf(f, "%39s", var) == 1) {
    if (!strcmp(var, "link") || !strcmp(var, "id")) {
      int b;
      if (get_bool(f, &b) < 0)
        break;
      b = (b == 2);
      if (!strcmp(var, "link"))
        link_detect = b;
      else
        random_id = b;
    } else if (!strcmp(var, "wide")) {
      int w = 0;
      get_bool(f, &w);
      wide = w;
    } else if (!strcmp(var, "log")) {
      int fd;
      if (get_log(f, &fd) == 0)
        log_fd = fd;
    } else if (!strcmp(var, "trace")) {
      get_log(f, &trace_fd);
    } else if (!strcmp(var, "out")) {
      int is_open;
      if (get_out(f, &is_open) == 0)
        logging = is_open;
    } else if (!strcmp(var, "level")) {
      int v;
      if (fscanf(f, "%d", &v) == 1)
        level = v;
    } else {
      struct item *i = malloc(sizeof *i);
      i->n = atoi(var);
      i->next = all;
      all = i;
    }
  }
  fclose(f);
}
static void command(char *l) {
  if (*l == 'l') load(l + 2);
  if (*l == 'c') logging = 0, log_fd = trace_fd = -1;
  if (*l == 'd') link_detect = !link_detect;
  printf("%d %d %d %d %d %d\n", link_detect, random_id, level, wide, logging, log_fd);
}
int main(int argc, char **argv) {
  char l[80];
  int i;
  for (i = 1; i < argc; i++)
    if (!strcmp(argv[i], "-d")) link_detect = 1;
    else if (!strcmp(argv[i], "-r")) random_id = 1;
    else if (!strcmp(argv[i], "-w")) wide = 1;
  load("state");
  while (fgets(l, 80, stdin)) command(l);
  return 0;
}
