/*===- code.h - functions that persistent objects point to ------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_NAMED_CODE_H
#define NVMOVE_SRC_NAMED_CODE_H

#include <stdbool.h>
#include <stdint.h>

/* Compares the program's functions with the pool's tables. 0 or ENOEXEC [pool-layout]. */
int nvmi_codes_check(void);
/* In the start-up section: the entries lead to where the functions are in this process. */
void nvmi_codes_enter(void);
void nvmi_codes_close(void);
/* A child has made a copy of all of the heap: its entries can be called, and not written. */
void nvmi_codes_protect(void);
/* Does a machine page of entries begin at this offset in the arena? */
bool nvmi_is_code(uint64_t offset);

#endif /* NVMOVE_SRC_NAMED_CODE_H */
