/*===- counts.c - A server as small as they come ----------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Counts letters: each that it reads is one more, and it answers with the letter
 * and its count. It begins with the counts in the file given.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

struct count { char letter; int value; struct count *next; };
static struct { struct count *counts; } server;

static struct count *find(char letter) {
  struct count *c = server.counts;
  while (c && c->letter != letter)
    c = c->next;
  if (c)
    return c;
  c = malloc(sizeof(*c));
  if (c == NULL)
    abort();
  c->letter = letter;
  c->value = 0;
  c->next = server.counts;
  server.counts = c;
  return c;
}

static void load(const char *path) {
  char letter;
  int value;
  FILE *f = fopen(path, "r");
  if (f == NULL)
    return;
  while (fscanf(f, " %c %d", &letter, &value) == 2)
    find(letter)->value = value;
  fclose(f);
}

static int serve(int fd) {
  char letter, line[32];
  struct count *c;
  if (read(fd, &letter, 1) != 1)
    return -1;
  c = find(letter);
  c->value++;
  snprintf(line, sizeof(line), "%c %d\n", c->letter, c->value);
  return write(1, line, strlen(line)) < 0;
}

typedef int handler(int fd);
static handler *handlers[1] = { serve };

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  load(argv[1]);
  for (;;) {
    fd_set readable;
    FD_ZERO(&readable);
    FD_SET(0, &readable);
    if (select(1, &readable, NULL, NULL, NULL) < 0)
      return 1;
    if (handlers[0](0))
      return 0;
  }
}
