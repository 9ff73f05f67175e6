/*===- store.c - a program that loads its state -----------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * What a run of it must show is in check.py, by the names behind SITE.
 */
#include <poll.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct note {
  struct note *next;
  char *text;
  long loaded;
  long served;
};
struct table {
  struct note **slots;
  unsigned long count;
};
struct parser {
  char *line;
  long lines;
};

static struct table *table; /* made before the load, filled by it */
struct note *latest;
static struct note *other;
long total, starts;
static jmp_buf failed;

static void *obtain(size_t size_bytes) {
  void *p = malloc(size_bytes); /* SITE wrapper */
  if (!p)
    abort();
  return p;
}

static struct note *make_note(const char *text) {
  struct note *note = obtain(sizeof(*note)); /* SITE note */
  note->text = strdup(text);                 /* SITE text */
  note->next = latest;
  note->loaded = 1;
  return note;
}

static void read_one(struct parser *parser, const char *text) {
  parser->lines++;
  if (*text == '!')
    longjmp(failed, 1);
  latest = make_note(text);
  size_t size_bytes = (table->count + 1) * sizeof(*table->slots);
  table->slots = realloc(table->slots, size_bytes); /* SITE slots */
  table->slots[table->count++] = latest;
  total++;
}

static int load(const char *kind) {
  static const char *lines[] = {"one", "two", "three"};
  struct parser *parser = calloc(1, sizeof(*parser)); /* SITE parser */
  for (unsigned i = 0; i < 3; i++)
    read_one(parser, lines[i]);
  int count = (int)parser->lines;
  free(parser);
  if (!strcmp(kind, "jump"))
    read_one(calloc(1, sizeof(*parser)), "!"); /* SITE lost */
  return count;
}

int main(int argc, char **argv) {
  struct pollfd none;
  starts++;
  table = calloc(1, sizeof(*table)); /* SITE table */
  other = obtain(sizeof(*other));    /* SITE before */
  if (!setjmp(failed))
    load(argc > 1 ? argv[1] : "");
  latest->served = 1;
  struct note *later = obtain(sizeof(*later)); /* SITE later */
  memset(later, 0, sizeof(*later));
  later->next = latest;
  table->slots[0] = later;
  struct note *lost = obtain(sizeof(*lost)); /* SITE elsewhere */
  other->next = lost;
  if (argc > 1 && !strcmp(argv[1], "fork")) {
    pid_t child = fork();
    if (!child) {
      total = 99;
      exit(0);
    }
    waitpid(child, NULL, 0);
  }
  poll(&none, 0, 1);
  printf("%ld\n", total);
  return 0;
}
