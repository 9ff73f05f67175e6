/*===- lost.h - memory that cannot be read any more -------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * An error of memory that the hardware cannot correct is a SIGBUS. The process then begins anew
 * from the last good state, with all its threads: the same process, with its number, its parent and
 * what it has open, since it executes its own program once more. Memory is mapped afresh.
 */
#ifndef LOST_H
#define LOST_H

#include <stdbool.h>
#include <stdint.h>

/* Called first: `arguments` are those of main(). */
void lost_start(char **arguments);

/* For tests. In step `step` the page around a particle is lost: poisoned, where that is permitted,
 * else (and if `hole`) a hole in a mapped file. Not again in a process that has lost one. */
void lost_plan(int64_t step, bool hole);
void lost_now(unsigned me);

#endif
