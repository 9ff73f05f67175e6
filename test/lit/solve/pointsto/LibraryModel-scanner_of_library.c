// A scanner of a library that the load hands a descriptor, a stream or text is
// asked for what the file holds: what it gives, and what its record holds, also
// in a union within, is data of the file. What only tells of a file, a struct
// stat or termios, is none, nor what a scanner gives that is handed none.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove_act --notes --load load --analyze-only p.c -- -std=gnu11 -isystem sys > out
// RUN: FileCheck p.c --input-file out

//--- sys/scan.h
typedef union { void *symbol; char *text; unsigned long number; double real; } Value;
typedef struct {
  void *user;
  int token;
  Value value;
  struct { unsigned line; } at;
} Scanner;
Scanner *scanner_new(const void *config);
void scanner_input_file(Scanner *, int descriptor);
int scanner_next(Scanner *);

typedef struct { long number; int kind; } Lexer;
void lexer_start(Lexer *, void *stream);
void lexer_step(Lexer *);

typedef struct { int number; } Words;
void words_input_text(Words *, const char *text, unsigned length);
void words_next(Words *);

typedef struct { int number; } Clock;
void clock_begin(Clock *);
void clock_next(Clock *);
struct facts { long size; };
int tell_of(int descriptor, struct facts *);
struct mode { int bits; };
int get_mode(int descriptor, struct mode *);
void make_raw(struct mode *);

//--- p.c
// CHECK:      1 persistent type
// CHECK:      item
// CHECK:      8 restored scalars
// CHECK-NEXT: config.name {{ *}}gets a value from the file
// CHECK-NEXT: config.port {{ *}}gets a value from the file
// CHECK-NEXT: config.ratio {{ *}}gets a value from the file
// CHECK-NEXT: kind {{ *}}gets a value from the file
// CHECK-NEXT: last_line {{ *}}gets a value from the file
// CHECK-NEXT: level {{ *}}gets a value from the file
// CHECK-NEXT: limit {{ *}}gets a value from the file
// CHECK-NEXT: word {{ *}}gets a value from the file
// CHECK-NOT:  gets a value from the file
// CHECK:      set-by-load {{ *}}started is set by functions that only the load runs
// CHECK:      set-by-load {{ *}}size is set by functions that only the load runs
// CHECK:      set-by-load {{ *}}bits is set by functions that only the load runs
#include <fcntl.h>
#include <scan.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { unsigned n; struct item *next; };
static struct item *items;
static struct { unsigned port; double ratio; char name[32]; } config;
static int limit, level, kind, word, started, bits;
static unsigned last_line;
static long size;

static void read_from(Scanner *scanner, int descriptor) {
  scanner_input_file(scanner, descriptor);
  while (scanner_next(scanner) == 'i') {
    char key[32];
    strncpy(key, scanner->value.text, 31);
    scanner_next(scanner);
    if (!strcmp(key, "port"))
      config.port = scanner->value.number;
    else if (!strcmp(key, "ratio"))
      config.ratio = scanner->value.real;
    else if (!strcmp(key, "name"))
      strncpy(config.name, scanner->value.text, 31);
    else if (!strcmp(key, "limit"))
      limit = (int)scanner->value.number;
    else {
      struct item *it = malloc(sizeof *it);
      it->n = scanner->value.number;
      it->next = items;
      items = it;
    }
    last_line = scanner->at.line;
  }
}
static void load(void) {
  int descriptor = open("state", O_RDONLY);
  FILE *f = fopen("more", "r");
  Scanner *scanner = scanner_new(NULL);
  struct facts facts;
  struct mode mode;
  Lexer lexer;
  Words words;
  Clock clock;
  read_from(scanner, descriptor);
  lexer_start(&lexer, f);
  lexer_step(&lexer);
  level = lexer.number;
  kind = lexer.kind;
  words_input_text(&words, "1", 1);
  words_next(&words);
  word = words.number;
  clock_begin(&clock);
  clock_next(&clock);
  started = clock.number;
  tell_of(descriptor, &facts);
  size = facts.size;
  get_mode(descriptor, &mode);
  make_raw(&mode);
  bits = mode.bits;
}
int main(void) {
  char line[80];
  load();
  while (fgets(line, sizeof line, stdin))
    printf("%u %d %d %d %d %d %ld %u\n", config.port, limit, level, kind, word,
           started + bits, size, items->n + last_line);
  return 0;
}
