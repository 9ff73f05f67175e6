/*===- adopt.h - what the C library writes and allocates by itself ----------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_LIBC_ADOPT_H
#define NVMOVE_SRC_LIBC_ADOPT_H

void nvmi_outs_left(void); /* by a jump */

#endif /* NVMOVE_SRC_LIBC_ADOPT_H */
