// Handlers that a library was handed with one of its objects are called with
// that one: not those of the parser that reads the settings at start-up. With
// an object that is made from another those of the other are, and with one that
// is read from memory, or that the library gives without making it, all are.
//
// RUN: %nvmove --load load --print types %s -- -std=gnu11 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
//
// CHECK: entity
// CHECK-NEXT: item
//
// RUN: %nvmove --load load --print types %s -- -std=gnu11 -DSTORED > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --check-prefix=ANY
// RUN: %nvmove --load load --print types %s -- -std=gnu11 -DGIVEN > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --check-prefix=ANY
//
// ANY: entity
// ANY-NEXT: item
// ANY-NEXT: setting

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct XML_ParserStruct *XML_Parser;
typedef void Start(void *, const char *, const char **);
XML_Parser XML_ParserCreate(const char *);
XML_Parser XML_ExternalEntityParserCreate(XML_Parser, const char *);
XML_Parser XML_LastParser(void);
void XML_SetStartElementHandler(XML_Parser, Start *);
int XML_Parse(XML_Parser, const char *, int, int);

struct setting { char *value; struct setting *next; };
struct item { char *value; struct item *next; };
struct entity { char *value; struct entity *next; };
static struct setting *settings;
static struct item *items;
static struct entity *entities;
static struct { XML_Parser parser; } last;

static void add_setting(void *p, const char *name, const char **values) {
  struct setting *s = malloc(sizeof *s);
  s->value = strdup(values[0]);
  s->next = settings;
  settings = s;
}
static void add_item(void *p, const char *name, const char **values) {
  struct item *i = malloc(sizeof *i);
  i->value = strdup(values[0]);
  i->next = items;
  items = i;
}
static void add_entity(void *p, const char *name, const char **values) {
  struct entity *e = malloc(sizeof *e);
  e->value = strdup(values[0]);
  e->next = entities;
  entities = e;
}

static void read_with(XML_Parser p, const char *path) {
  char buf[100];
  FILE *f = fopen(path, "r");
  for (int n; (n = fread(buf, 1, sizeof buf, f)) > 0;)
    XML_Parse(p, buf, n, 0);
  fclose(f);
}

static void read_settings(void) {
  XML_Parser p = XML_ParserCreate(NULL);
  XML_SetStartElementHandler(p, add_setting);
  XML_Parse(p, "<a b='c'/>", 10, 1);
  last.parser = p;
}

static XML_Parser make(const char *encoding) {
  return XML_ParserCreate(encoding);
}

static void load(void) {
  XML_Parser p = make(NULL);
  XML_SetStartElementHandler(p, add_item);
  read_with(p, "state");
  XML_Parser base = XML_ParserCreate(NULL);
  XML_SetStartElementHandler(base, add_entity);
  read_with(XML_ExternalEntityParserCreate(base, "entity"), "entities");
#ifdef STORED
  read_with(last.parser, "more");
#endif
#ifdef GIVEN
  read_with(XML_LastParser(), "more");
#endif
}

int main(void) {
  read_settings();
  load();
  for (int c; (c = getchar()) != EOF;)
    printf("%s %s %s\n", settings->value, items->value, entities->value);
  return 0;
}
