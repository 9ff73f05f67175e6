/*===- keeps.h - scalars whose first value stays ----------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_NAMED_KEEPS_H
#define NVMOVE_SRC_NAMED_KEEPS_H

#include <stdint.h>

/* Compares what the program keeps with the pool's tables. 0 or ENOEXEC [pool-layout]. */
int nvmi_keeps_check(void);
/* What the kept scalars take in the tables of a new pool. */
uint64_t nvmi_keeps_bytes(void);
/* In the start-up section: the program gets the values that the pool has, and the pool those
 * that it does not have yet. */
void nvmi_keeps_enter(void);

#endif /* NVMOVE_SRC_NAMED_KEEPS_H */
