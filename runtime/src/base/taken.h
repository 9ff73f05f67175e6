/*===- taken.h - which process has the pool ---------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 *   nvm_start();  fork();  child: nvm_restore();   the child has it
 *                          parent: _exit(0);       a daemon's
 *                          parent: nvm_malloc();   both use it: refused
 *
 * A fork before the load leaves two processes with one open pool. The first to call
 * nvm_restore() takes it. Until then both may use it as if they were alone, but not one after
 * the other: each would have its own idea of what is free.
 */
#ifndef NVMOVE_SRC_BASE_TAKEN_H
#define NVMOVE_SRC_BASE_TAKEN_H

#include <stdbool.h>

int nvmi_taken_open(void); /* nobody has it; 0 or an error */
void nvmi_taken_close(void);

/* This process takes it, or has it; false: another one has. If another one has used it since
 * they parted, this one ends with a message [pool-busy]. */
bool nvmi_take(void);
bool nvmi_is_mine(void);

/* Around a fork: what was done before is known to both. */
void nvmi_taken_before_fork(void);
void nvmi_taken_after_fork(void); /* in both processes */

/* This process has parted from another by a fork before either had taken the pool, and has not
 * taken it since. A child of who has taken it is no such process: it gets a frozen view. */
extern bool nvmi_is_parted;
void nvmi_use_parted(void);
/* Before the process allocates from the pool, changes it or begins a section: if it and another
 * use it, this one ends with a message [pool-busy]. */
static inline void nvmi_use(void)
{
    if (__builtin_expect(nvmi_is_parted, 0))
        nvmi_use_parted();
}

#endif /* NVMOVE_SRC_BASE_TAKEN_H */
