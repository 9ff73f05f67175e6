/*===- replica_bench.c - commits that another machine has -------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 *   replica_bench BLOCK-BYTES SECONDS process|power POOL
 *
 * A section overwrites one block, of 32 MiB of them or of 4096, and its output waits
 * until the commit counts: in the page cache, on the disk, or where NVM_REPLICA says.
 * Commits in a second, the processor time of one, and how long the slowest of each
 * hundred took. With 0 seconds: how fast a replica that has nothing gets 512 MiB.
 */
#define _GNU_SOURCE
#include "bench.h"

#define ALL_BYTES (32ul << 20)
#define MOST_BLOCKS 4096ul
#define CATCH_UP_BYTES (512ul << 20)
#define MOST_TIMES 2000000ul

NVM_TYPE(block);

static unsigned char **blocks;
static float *took_us;

static int compare(const void *a, const void *b) {
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

static void write_block(unsigned char *p, unsigned long size_bytes,
                        uint64_t value) {
  nvm_begin();
  memset(NVM_BUF(p, size_bytes), (int)value, size_bytes);
  nvm_end();
  nvm_output();
}

int main(int argc, char **argv) {
  if (argc != 5)
    return 2;
  unsigned long size_bytes = strtoul(argv[1], NULL, 10), count = 0;
  double seconds = strtod(argv[2], NULL);
  unsigned long n = (seconds > 0 ? ALL_BYTES : CATCH_UP_BYTES) / size_bytes;
  n = n < MOST_BLOCKS ? n : MOST_BLOCKS;
  blocks = calloc(n, sizeof(*blocks));
  took_us = malloc(MOST_TIMES * sizeof(*took_us));
  struct nvm_options options = {.size_bytes = 512ul << 20,
                                .max_size_bytes = 1ul << 30,
                                .power = strcmp(argv[3], "power") == 0};
  if (nvm_open(argv[4], &options) != 0)
    fail("nvm_open");
  for (unsigned long i = 0; i < n; i++) {
    blocks[i] = nvm_alloc(&nvm_type_block, size_bytes);
    if (!blocks[i])
      fail("full");
    memset(NVM_BUF(blocks[i], size_bytes), (int)i + 1, size_bytes);
  }
  double ready = now_s();
  nvm_ready(); /* the replica has all of it then */
  ready = now_s() - ready;
  if (!(seconds > 0)) {
    printf("commits,1,\nready,%.3f,s\n", ready);
    return 0;
  }
  uint64_t random = 0x123456789abcdefu;
  double begin = now_s(), cpu = cpu_s(), at = begin;
  while (at - begin < seconds && count < MOST_TIMES) {
    write_block(blocks[next_random(&random) % n], size_bytes, count);
    double now = now_s();
    took_us[count++] = (float)((now - at) * 1e6);
    at = now;
  }
  double all_s = at - begin;
  cpu = cpu_s() - cpu;
  nvm_close(); /* async: what is still on its way */
  double until_there_s = now_s() - begin;
  qsort(took_us, count, sizeof(*took_us), compare);
  printf("commits,%lu,\n", count);
  printf("rate,%.1f,/s\n", (double)count / all_s);
  printf("rate_there,%.1f,/s\n", (double)count / until_there_s);
  printf("cpu,%.3f,us\n", cpu / (double)count * 1e6);
  printf("median,%.2f,us\n", (double)took_us[count / 2]);
  printf("p99,%.2f,us\n", (double)took_us[count * 99 / 100]);
  return 0;
}
