/*===- sim.h - a medium that remembers what a power cut would leave ---------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Takes the place of the runtime's persistence primitives. Every line written
 * keeps its versions since it was last known to be on the medium; at the cut
 * each line shows one of them, chosen at random.
 */
#ifndef NVMOVE_TEST_RUNTIME_SIM_H
#define NVMOVE_TEST_RUNTIME_SIM_H

#ifdef __cplusplus
extern "C" {
#endif

enum sim_medium {
  SIM_FENCE_IS_ENOUGH, /* DAX: on the medium at the next fence */
  SIM_SYNC_IS_NEEDED,  /* disk: at the next sync */
  SIM_FENCE_IS_BROKEN  /* a planted bug: the fence does nothing */
};

/* Before nvm_open(). At primitive number `cut_at` (from 1; every line written
 * counts), or before barrier number `cut_at_barrier` (fence and sync), leaves
 * in `left_path` what the pool's file would hold after a power cut, and ends
 * the process with status 0. */
struct sim_plan {
  enum sim_medium medium;
  long cut_at, cut_at_barrier; /* 0: never */
  unsigned seed;
  const char *left_path;
};
void sim_install(struct sim_plan plan);

/* Primitives, and barriers, so far. */
long sim_count(void);
long sim_barriers(void);

#ifdef __cplusplus
}
#endif

#endif /* NVMOVE_TEST_RUNTIME_SIM_H */
