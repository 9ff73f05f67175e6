/*===- media_bench.c - emulated delays against the clock --------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 *   media_bench NS POOL
 *
 * How long a delay of NS nanoseconds takes by the clock. (In a program it begins
 * while what it follows is still on its way to the memory, as it should: the
 * medium's time stands for all of it.)
 */
#include "bench.h"
#include "medium/media.h"

#define SPINS 20000

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: media_bench NS POOL\n");
    return 2;
  }
  const struct setup undo = {"undo", "undo", -1, 0};
  uint64_t ns = (uint64_t)atol(argv[1]);
  setenv("NVM_MEDIA", "pcm", 1); /* sets the counter by the clock */
  open_pool(&undo, argv[2], 16ul << 20);
  double start = now_s();
  for (int i = 0; i < SPINS; i++)
    nvmi_media_spin(ns);
  printf("delay,%.1f,ns\n", (now_s() - start) * 1e9 / SPINS);
  return 0;
}
