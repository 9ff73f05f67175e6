// What the C library or the system keeps, and writes at a later time, is
// announced by nobody: to act on where it lies in the heap, also behind a record
// or a list that is handed over. A stream over memory may be one that is read: a
// question. What lies elsewhere is none.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %nvmove_act --load load %s > log
// RUN: grep -c 'unsupported-call\|unannounced-call' log | FileCheck %s --check-prefix=COUNT
// COUNT: {{^}}5{{$}}
// RUN: FileCheck %s --input-file log
// CHECK-DAG: setvbuf: argument 2 may be in the heap
// CHECK-DAG: aio_read: argument 1 may be in the heap
// CHECK-DAG: lio_listio: argument 2 may be in the heap
// CHECK-DAG: fmemopen: argument 1 may be in the heap
// CHECK-DAG: recvmmsg
#define _GNU_SOURCE
#include <aio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

struct item {
  struct item *next;
  char buffer[512], got[64], all[64], text[64], packet[64];
};
static struct item *items;

static void load(FILE *f) {
  char line[64];
  while (fgets(line, sizeof line, f)) {
    struct item *i = calloc(1, sizeof *i);
    if (!i)
      abort();
    strcpy(i->text, line);
    i->next = items;
    items = i;
  }
}

int main(void) {
  static char own[64];
  char line[64];
  static struct aiocb one, other;
  struct aiocb *list[] = {&other};
  FILE *f = fopen("state", "r"), *g;
  if (f) {
    load(f);
    fclose(f);
  }
  while (fgets(line, sizeof line, stdin) && items) {
    struct iovec part = {items->packet, sizeof items->packet};
    struct mmsghdr packets = {{NULL, 0, &part, 1, NULL, 0, 0}, 0};
    one.aio_buf = items->got;
    aio_read(&one);
    other.aio_buf = items->all;
    lio_listio(LIO_WAIT, list, 1, NULL);
    recvmmsg(0, &packets, 1, 0, NULL);
    g = fmemopen(items->text, sizeof items->text, "w");
    if (g) {
      setvbuf(g, items->buffer, _IOFBF, sizeof items->buffer);
      fclose(g);
    }
    g = fmemopen(own, sizeof own, "w");
    if (g) {
      setvbuf(g, own, _IOFBF, sizeof own);
      fclose(g);
    }
    puts(items->text);
  }
  return 0;
}
