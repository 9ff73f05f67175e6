/*===- addresses.h - the same addresses in each run -------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_OPEN_ADDRESSES_H
#define NVMOVE_SRC_OPEN_ADDRESSES_H

#include <stdbool.h>

/* At the beginning of main, before a pool is open. In a position-independent program with
 * statics that objects may point to, the process executes the same program again, with the same
 * arguments, environment, process id and open files, and without address space layout
 * randomisation: each run of a build then has its statics where the one before had them. Where
 * that is forbidden it returns false, and pointers follow the statics that have moved. True:
 * this process has no randomisation. */
bool nvmi_take_same_addresses(void);

#endif /* NVMOVE_SRC_OPEN_ADDRESSES_H */
