// A pointer into the reader's buffer is replaced by a copy before it is kept. The
// variable's address is taken, but nothing writes it between the copy and its use.
// Where something may, all that it may hold is kept.
//
// RUN: %nvmove --load load --analyze-only --force --out %t.out %s -- -std=gnu11 > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK:      3 persistent types
// CHECK-NEXT: {{^ +}}item {{.*}}allocates struct item in load
// CHECK-NEXT: {{^ +}}pad {{.*}}allocates struct pad in load
// CHECK-NEXT: {{^ +}}mark {{.*}}allocates struct mark in load

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buffer { char text[256]; int line; };
struct pad { char text[256]; int line; };
struct item { struct item *next; char *name; int length; };
struct mark { struct mark *next; char *name; };
static struct item *items;
static struct mark *marks;
static struct buffer *reader;
static struct pad *pad;

static int parse(char **text) {
  if (!fgets(reader->text, sizeof reader->text, stdin))
    return 0;
  reader->line++;
  *text = reader->text;
  return 1;
}
static void trim(char **text) {
  strcpy(pad->text, *text);
  pad->line++;
  *text = pad->text;
}
static void load(void) {
  char *text, *title;
  if (!freopen("list", "r", stdin))
    return;
  reader = calloc(1, sizeof *reader);
  pad = calloc(1, sizeof *pad);
  while (parse(&text)) {
    struct item *i = malloc(sizeof *i);
    struct mark *m = malloc(sizeof *m);
    text = strdup(text);
    i->length = strlen(text);
    i->name = text;
    i->next = items;
    items = i;
    title = strdup(text);
    trim(&title);
    m->name = title;
    m->next = marks;
    marks = m;
  }
  free(reader);
  reader = NULL;
  free(pad);
  pad = NULL;
}
int main(void) {
  char line[80];
  load();
  while (fgets(line, 80, stdin))
    printf("%s %s %d\n", items->name, marks->name, items->length++);
  return 0;
}
