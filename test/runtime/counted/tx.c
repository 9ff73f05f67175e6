/*===- tx.c - what libpmemobj writes is counted -----------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * A program of its own, with NVM_STATS=1: in test_runtime the simulator has
 * libpmem's functions. A section that changes a line has it logged and flushed,
 * by libpmemobj: the runtime alone would count one fence.
 */
#include <nvmove/nvm.h>
#include <stdio.h>
#include <unistd.h>

NVM_TYPE(word);

int main(int argc, char **argv) {
  enum { SECTIONS = 100 };
  struct nvm_options options = {.size_bytes = 32ul << 20, .engine = "tx"};
  struct nvm_stats before, after;
  if (argc != 2)
    return 2;
  unlink(argv[1]);
  if (nvm_open(argv[1], &options) != 0) {
    fprintf(stderr, "%s\n", nvm_errormsg());
    return 1;
  }
  long *words = nvm_zalloc(&nvm_type_word, 4096);
  nvm_ready();
  nvm_get_stats(&before);
  for (int i = 0; i < SECTIONS; i++) {
    nvm_begin();
    NVM(words[i % 8 * 8]) = i;
    nvm_end();
  }
  nvm_get_stats(&after);
  unsigned long flushed = after.lines_flushed - before.lines_flushed,
                fences = after.fences - before.fences;
  printf("%lu lines flushed, %lu fences\n", flushed, fences);
  nvm_close();
  unlink(argv[1]);
  return flushed >= 2 * SECTIONS && fences >= 3 * SECTIONS ? 0 : 1;
}
