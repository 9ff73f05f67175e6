// What a library reads from a file for the program is data from the file: its
// results, what it sets through addresses, and what it hands to callbacks. The
// library's own records are no roots, a descriptor is no data, and what another
// library knows of itself (clock_ticks()) is none either.
//
// RUN: %nvmove_act --load load --analyze-only --force --out %t.out %s -- -std=gnu11 -isystem %S/Inputs > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK: 2 persistent types
// CHECK-DAG: item {{.*}} allocates struct item in start
// CHECK-DAG: user {{.*}} allocates struct user in load
// CHECK: 4 roots
// CHECK-NEXT: document {{.*}} listed only: memory of a library, struct json_t
// CHECK-NEXT: items
// CHECK-NEXT: message {{.*}} listed only: memory of a library, what it has read
// CHECK-NEXT: users
// CHECK: 15 restored scalars
// CHECK-DAG: a gets a value from the file
// CHECK-DAG: b gets a value from the file
// CHECK-DAG: blob.a gets a value from the file
// CHECK-DAG: blob.b gets a value from the file
// CHECK-DAG: c gets a value from the file
// CHECK-DAG: count counts what is loaded
// CHECK-DAG: d gets a value from the file
// CHECK-DAG: e gets a value from the file
// CHECK-DAG: g gets a value from the file
// CHECK-DAG: limit gets a value from the file
// CHECK-DAG: port gets a value from the file
// CHECK-DAG: s gets a value from the file
// CHECK-DAG: t gets a value from the file
// CHECK-DAG: title gets a value from the file
// CHECK-DAG: total gets a value from the file

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <json.h>

int clock_ticks(void);

// A library that nobody knows.
typedef struct Conf Conf;
Conf *conf_load(const char *path);
int conf_get_int(Conf *c, const char *key, int *value);
const char *conf_get(Conf *c, const char *key);
void conf_each(Conf *c, void (*f)(void *, const char *, const char *), void *);
int conf_count(Conf *c);

typedef struct XML_ParserStruct *XML_Parser;
typedef void Start(void *, const char *, const char **);
typedef void End(void *, const char *);
void XML_SetElementHandler(XML_Parser, Start *, End *);
int XML_Parse(XML_Parser, const char *, int, int);
XML_Parser XML_ParserCreate(const char *);

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
typedef int Row(void *, int, char **, char **);
int sqlite3_open(const char *, sqlite3 **);
int sqlite3_prepare_v2(sqlite3 *, const char *, int, sqlite3_stmt **,
                       const char **);
int sqlite3_step(sqlite3_stmt *);
int sqlite3_column_int(sqlite3_stmt *, int);
const unsigned char *sqlite3_column_text(sqlite3_stmt *, int);
const void *sqlite3_column_blob(sqlite3_stmt *, int);
int sqlite3_exec(sqlite3 *, const char *, Row *, void *, char **);

struct item { int n; struct item *next; };
struct user { int id; char *name; struct user *next; };
static struct item *items;
static struct user *users;
static struct { int a, b; } blob;
static int a, b, c, d, e, g, count, port, limit, total, descriptor, tries, ticks;
static char s[10], t[10], title[30];
static sqlite3 *db;
static const char *message;
static json_t *document;
static FILE *out;

static void each(void *p, const char *key, const char *value) {
  if (*key == 'd')
    d = atoi(value);
}

static void start(void *p, const char *name, const char **atts) {
  struct item *i = malloc(sizeof *i);
  i->n = atoi(atts[1]);
  i->next = items;
  items = i;
  if (!strcmp(name, "e"))
    e = atoi(atts[0]);
}

static void end(void *p, const char *name) {}

static int row(void *p, int n, char **values, char **names) {
  if (!strcmp(values[0], "limit"))
    limit = atoi(values[1]);
  *(int *)p += atoi(values[2]);
  return 0;
}

static void load(const char *path) {
  char buf[100];
  json_t *j = document = json_load_file(path, 0, 0);
  a = json_integer_value(json_object_get(j, "a"));
  strncpy(s, json_string_value(json_object_get(j, "s")), 9);

  Conf *conf = conf_load(path);
  conf_get_int(conf, "b", &b);
  c = atoi(conf_get(conf, "c"));
  strcpy(t, conf_get(conf, "t"));
  conf_each(conf, each, 0);
  g = conf_count(conf);
  message = conf_get(conf, "message");

  FILE *f = fopen(path, "r");
  XML_Parser p = XML_ParserCreate(0);
  XML_SetElementHandler(p, start, end);
  for (int n; (n = fread(buf, 1, sizeof buf, f)) > 0;)
    XML_Parse(p, buf, n, 0);

  sqlite3_stmt *rows;
  sqlite3_open(path, &db);
  sqlite3_prepare_v2(db, "select", -1, &rows, 0);
  while (sqlite3_step(rows) == 100) {
    struct user *u = malloc(sizeof *u);
    u->id = sqlite3_column_int(rows, 0);
    u->name = strdup((const char *)sqlite3_column_text(rows, 1));
    u->next = users;
    users = u;
    count++;
  }
  port = sqlite3_column_int(rows, 2);
  strcpy(title, (const char *)sqlite3_column_text(rows, 3));
  memcpy(&blob, sqlite3_column_blob(rows, 4), sizeof blob);
  sqlite3_exec(db, "select", row, &total, 0);

  out = fopen("out", "a");
  descriptor = fileno(out);
  tries = 1;
  ticks = clock_ticks();
}

int main(void) {
  load("state");
  for (int q; (q = getchar()) != EOF; ++tries)
    printf("%d %d %d %d %d %d %d %d %d %d %d %s %s %s %d %s %d\n", a, b, c, d, e,
           g, count, port, limit, total, descriptor, s, t, title, items->n,
           users->name,
           ticks + message[0] + blob.a + blob.b +
               (int)json_integer_value(json_object_get(document, "q")));
  return 0;
}
