// strtok(NULL, ..) gives what an earlier call was handed, also in another function:
// numbers that are read so are the file's.
//
// RUN: %nvmove --load load --analyze-only --force --out %t %s -- > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK: 2 roots
// CHECK-NEXT: {{^}}  first
// CHECK-NEXT: {{^}}  title
// CHECK: 6 restored scalars
// CHECK-NEXT: {{^}}  again gets a value from the file
// CHECK-NEXT: {{^}}  helper gets a value from the file
// CHECK-NEXT: {{^}}  level gets a value from the file
// CHECK-NEXT: {{^}}  looped
// CHECK-NEXT: {{^}}  parted gets a value from the file
// CHECK-NEXT: {{^}}  wrapped gets a value from the file
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item {
  struct item *next;
  char *name;
  int n;
};
static struct item *first;
static int level, helper, wrapped, looped, again, parted, unread;
static char *title;
static int number(void) { return atoi(strtok(NULL, " ")); }
static char *token(char *s) { return strtok(s, " "); }
static void load(const char *file) {
  char line[80], *cmd, *s, *t;
  FILE *f = fopen(file, "r");
  if (!f)
    return;
  while (fgets(line, sizeof line, f)) {
    cmd = strtok(line, " ");
    if (!strcmp(cmd, "level"))
      level = atoi(strtok(NULL, " "));
    else if (!strcmp(cmd, "helper"))
      helper = number();
    else if (!strcmp(cmd, "title"))
      title = strdup(strtok(NULL, "\n"));
    else if (!strcmp(cmd, "item")) {
      struct item *i = malloc(sizeof *i);
      i->name = strdup(strtok(NULL, " "));
      i->n = atoi(strtok(NULL, " "));
      i->next = first;
      first = i;
    }
  }
  fgets(line, sizeof line, f);
  for (s = line; (t = strtok(s, ",")); s = NULL)
    looped += atoi(t);
  fgets(line, sizeof line, f);
  token(line);
  wrapped = atoi(token(NULL));
  fgets(line, sizeof line, f);
  strtok_r(line, " ", &s);
  again = atoi(strtok_r(NULL, " ", &s));
  t = line;
  strsep(&t, " ");
  parted = atoi(strsep(&t, " "));
  fclose(f);
}
static void command(int c) {
  if (c == 'l')
    level++;
  else
    puts(title);
  unread = helper + wrapped + looped + again + parted;
}
int main(void) {
  int c;
  load("state");
  while ((c = getchar()) != EOF)
    command(c);
  return unread;
}
