/*===- harness.c - one way out, and what it leaves -------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===-----------------------------------------------------------------------===
 *
 * With a row, and perhaps the word nested: changes the row's cell in a section,
 * goes that way out and is killed. Somebody else has the other end of
 * descriptor 0. Without: prints the rows whose cell is changed.
 */
#define _GNU_SOURCE
#include "harness.h"
#include <fcntl.h>
#include <nvmove/nvm.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { CELLS = 4096, ROWS = 1024 };
static long *cells;

NVM_TYPE(cell);
NVM_REGISTER(ways_out) { NVM_ROOT_POINTERS(cells); }

long said(void) { return write(0, "x", 1); }

static struct iovec part = {(void *)"x", 1};
static struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
static struct mmsghdr messages = {
    .msg_hdr = {.msg_iov = &part, .msg_iovlen = 1}};
struct handed handed = {&part, &message, &messages, NULL, -1};

int main(int count, char **arguments) {
  nvm_start();
  if (!nvm_restore())
    cells = NVM_ALLOC(cell, nvm_calloc(CELLS, sizeof *cells));
  nvm_restore();
  nvm_ready();
  if (count < 2) {
    for (long i = 0; i < CELLS; ++i)
      if (cells[i])
        printf("%s%s\n", row_names[i % ROWS], i < ROWS ? "" : " nested");
    return 0;
  }
  const long row = atol(arguments[1]);
  handed.stream = fdopen(dup(0), "w");
  handed.file = memfd_create("x", 0);
  if (!handed.stream || write(handed.file, "x", 1) != 1)
    return 1;
  fputc('x', handed.stream);
  nvm_begin();
  if (count > 2)
    nvm_begin();
  NVM(cells[row + (count > 2 ? ROWS : 0)]) = 1;
  if (count > 2)
    nvm_begin();
  go(row);
  raise(SIGKILL);
}
