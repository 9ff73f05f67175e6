/*===- twins.h - static objects that persistent objects point to ------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_NAMED_TWINS_H
#define NVMOVE_SRC_NAMED_TWINS_H

#include <stdint.h>

/* Compares the program's twins with the pool's tables. 0 or ENOEXEC [pool-layout]. */
int nvmi_twins_check(void);
/* What the twins take in a new pool, beside their entries. */
uint64_t nvmi_twins_bytes(void);
/* In the start-up section: each static gets its place in the pool, with the bytes that it has
 * now. */
void nvmi_twins_enter(void);
/* The pool is about to be closed: the places are gone afterwards. */
void nvmi_twins_close(void);

#endif /* NVMOVE_SRC_NAMED_TWINS_H */
