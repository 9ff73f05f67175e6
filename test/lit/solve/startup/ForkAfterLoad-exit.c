// A child that is made when the main loop has ended loses nothing: by goto it
// ends before the fork in the text, and after it.
//
// RUN: %nvmove --load load --out %t --force %s | FileCheck %s --implicit-check-not=fork-behind-load
// CHECK: 1 root
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct item {
  struct item *next;
  int id;
};
static struct item *items;
static void add(int id) {
  struct item *i = malloc(sizeof *i);
  i->id = id;
  i->next = items;
  items = i;
}
static void load(void) {
  int id;
  FILE *in = fopen("items", "r");
  while (in && fscanf(in, "%d", &id) == 1)
    add(id);
  if (in)
    fclose(in);
}
static void notify(void) {
  if (fork() == 0)
    _exit(0);
}
int main(void) {
  char line[80];
  load();
  goto serve;
end:
  notify();
  return 0;
serve:
  while (fgets(line, sizeof line, stdin))
    add(atoi(line));
  goto end;
}
