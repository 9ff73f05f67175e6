/*===- scheme_power.c - the interpreter on a medium that loses power --------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Linked to the moved interpreter, it puts the simulated medium of the
 * runtime's tests in the place of the pool NVM_POOL, which exists. Number
 * POWER_CUT of the persistence primitives is not reached: what a loss of power
 * would leave by then is in POWER_LEFT. Without one it tells how many there
 * were. POWER_FAULT: the medium waits for nothing, which has to be found.
 */
#include "schedule.h"
#include "sim.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void schedule_point(void) {} /* there is one thread */

static void cut(void) { _exit(7); }

static void tell(void) { fprintf(stderr, "%ld primitives\n", sim_count()); }

__attribute__((constructor)) static void install(void) {
  const char *number = getenv("POWER_CUT");
  struct sim_plan plan = {.pool_path = getenv("NVM_POOL"),
                          .left_path = getenv("POWER_LEFT"),
                          .medium = SIM_SYNC_IS_NEEDED,
                          .fault = getenv("POWER_FAULT") ? SIM_NO_SYNC
                                                         : SIM_NO_FAULT,
                          .seed = 1};
  if (number) {
    plan.cut_at = atol(number);
    plan.seed = (unsigned)plan.cut_at;
    plan.at_cut = cut;
  } else {
    atexit(tell);
  }
  sim_install(&plan);
}
