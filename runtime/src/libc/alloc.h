/*===- alloc.h - the malloc family ------------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_LIBC_ALLOC_H
#define NVMOVE_SRC_LIBC_ALLOC_H

#include <stdbool.h>

bool nvmi_placing(void);     /* what this thread allocates now is to come from the heap */
void nvmi_places_left(void); /* by a jump */

#endif /* NVMOVE_SRC_LIBC_ALLOC_H */
