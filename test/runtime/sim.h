/*===- sim.h - a medium that remembers what a power cut would leave ---------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Takes the place of the runtime's persistence primitives, and of those that
 * libpmemobj uses. It keeps an image of the pool file that changes only when a
 * fence (or sync) follows the write or the flush. What the mapped file holds
 * besides, a power cut may keep or lose, line by line, 8 bytes at a time.
 */
#ifndef NVMOVE_TEST_RUNTIME_SIM_H
#define NVMOVE_TEST_RUNTIME_SIM_H

#ifdef __cplusplus
extern "C" {
#endif

enum sim_medium {
  SIM_FENCE_IS_ENOUGH, /* DAX: on the medium at the next fence */
  SIM_SYNC_IS_NEEDED,  /* disk: at the next sync */
};

/* Bugs that are planted to see that the tests find them. */
enum sim_fault {
  SIM_NO_FAULT,
  SIM_NO_FENCE,          /* no fence does anything */
  SIM_NO_FLUSH,          /* no line is flushed */
  SIM_NO_COPY_FENCE,     /* what copy() wrote is not fenced */
  SIM_EVERY_THIRD_FENCE, /* of three fences two are missing */
  SIM_NO_SYNC,           /* no sync does anything */
  SIM_SHORT_SYNC,        /* a sync of a part leaves out its last line */
  SIM_FIRST_CUT_LINE,    /* of a range only the first line is flushed */
  SIM_LOG_LINE_LOST,     /* now and then a line of a log is not written */
};

/* A cut leaves in `left_path` what the pool's file would hold. Between the cuts
 * the run goes on: `at_cut` is called for each. Cuts come before a primitive
 * (every line written or flushed, every fence and sync): `odds` of a million
 * are chosen at random, or number `cut_at` alone. The file must exist. */
struct sim_plan {
  const char *pool_path, *left_path;
  enum sim_medium medium;
  enum sim_fault fault;
  unsigned seed;
  int whole_lines; /* a line arrives as a whole: its stores stay in order */
  long odds;
  long cut_at;
  void (*at_cut)(void);
};
void sim_install(const struct sim_plan *plan);
/* No cuts from now on, or again. */
void sim_arm(int on);
/* A cut here and now. */
void sim_cut(void);
/* Primitives so far. */
long sim_count(void);
/* Of the plan; 0 without one. */
unsigned sim_seed(void);

#ifdef __cplusplus
}
#endif

#endif /* NVMOVE_TEST_RUNTIME_SIM_H */
