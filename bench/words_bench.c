/*===- words_bench.c - what one word of a record costs under incll ----------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 *   words_bench saved|logged POOL
 *
 * A counter in each of 4096 records of 64 bytes, drawn from 1 MiB, without and
 * with a line log: its first store in an epoch, a later one, and its share of the
 * checkpoint; ns of processor time, over 40 epochs. NVM_MEDIA=dram flushes.
 */
#include "bench.h"
#include <nvmove/restart.h>

enum { RECORDS = 16384, CHANGED = 4096, AGAIN = 8, EPOCHS = 40 };

struct saved {
  long count;
  char rest[56];
};
struct logged {
  long count;
  char rest[40];
  NVM_LINE_LOG_64(48);
};
NVM_TYPE(saved);
NVM_TYPE(logged);
NVM_LAYOUT(saved, struct saved, NVM_FIELD(struct saved, count),
           NVM_FIELD(struct saved, rest));
NVM_LAYOUT(logged, struct logged, NVM_FIELD(struct logged, count),
           NVM_FIELD(struct logged, rest), NVM_LINE_LOG(struct logged));

static const struct setup setups[] = {{"saved", "incll", 3600000, 0},
                                      {"logged", "incll", 3600000, 0}};
static long *record[RECORDS]; /* either begins with its counter */

static double add_to_all(unsigned epoch) {
  double start = cpu_s();
  for (unsigned i = 0; i < CHANGED; i++)
    NVM(*record[(i * 2654435761u + epoch) % RECORDS])++;
  return (cpu_s() - start) * 1e9 / CHANGED;
}

int main(int argc, char **argv) {
  const struct setup *setup = find_setup(setups, 2, argc > 1 ? argv[1] : "");
  double first = 0, later = 0, share = 0;
  if (argc < 3)
    return 2;
  open_pool(setup, argv[2], 256ul << 20);
  for (int i = 0; i < RECORDS; i++)
    if (!(record[i] = nvm_zalloc(
              setup == setups ? &nvm_type_saved : &nvm_type_logged, 64)))
      fail("no memory");
  nvm_ready();
  nvm_checkpoint();
  for (unsigned epoch = 0; epoch < EPOCHS; epoch++) {
    nvm_begin();
    first += add_to_all(epoch) / EPOCHS;
    for (int i = 0; i < AGAIN; i++)
      later += add_to_all(epoch) / AGAIN / EPOCHS;
    nvm_end();
    double start = cpu_s();
    nvm_checkpoint();
    share += (cpu_s() - start) * 1e9 / CHANGED / EPOCHS;
  }
  printf("first in an epoch,%.2f,ns/store\n", first);
  printf("later,%.2f,ns/store\n", later);
  printf("of the checkpoint,%.2f,ns/store\n", share);
  nvm_close();
  return 0;
}
