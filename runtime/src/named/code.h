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

int nvmi_codes_check(void);
void nvmi_codes_enter(void);
void nvmi_codes_close(void);
void nvmi_codes_protect(void);      /* a child has made a copy of all of the heap */
bool nvmi_is_code(uint64_t offset); /* in the arena: a machine page of entries? */

#endif /* NVMOVE_SRC_NAMED_CODE_H */
