// The load leaves a file open that commands read, by a function that opens it
// anew on request, too: after a restart it is closed. One that it closes itself
// is not told, nor one that is opened where it is found closed.
//
// RUN: %nvmove_act --notes --load load --out %t --force %s | FileCheck %s --implicit-check-not=holds-descriptor
// CHECK: holds-descriptor{{ +}}index_fd is set by the load to an open file, from open(), and used later: a start that skips the load has none there
// CHECK-NEXT: open it at each start, outside of the load
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct entry {
  struct entry *next;
  long at;
};
static struct entry *entries;
static int index_fd = -1, lock_fd = -1, log_fd = -1;
static char block[512];

static int open_index(const char *name) {
  int fd = open(name, O_RDONLY);
  return fd;
}

static void reopen(void) {
  if ((index_fd = open_index("index")) == -1)
    exit(1);
}

static void note(const char *text, int length) {
  if (log_fd < 0)
    log_fd = open("log", O_WRONLY | O_APPEND);
  write(log_fd, text, length);
}

static void load(void) {
  long at;
  note("load", 4);
  lock_fd = open("lock", O_RDONLY);
  reopen();
  while (read(index_fd, &at, sizeof at) == sizeof at) {
    struct entry *e = malloc(sizeof *e);
    e->at = at;
    e->next = entries;
    entries = e;
  }
  close(lock_fd);
}

static void show(int nth) {
  struct entry *e = entries;
  while (e && nth--)
    e = e->next;
  if (!e || lseek(index_fd, e->at, SEEK_SET) < 0 ||
      read(index_fd, block, sizeof block) < 0)
    return (void)puts("cannot read");
  puts(block);
  note(block, 1);
  e->at = 0;
}

int main(void) {
  char line[20];
  load();
  while (fgets(line, sizeof line, stdin))
    if (*line == 'r') {
      close(index_fd);
      reopen();
    } else {
      show(atoi(line));
    }
}
