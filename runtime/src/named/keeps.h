/*===- keeps.h - scalars whose first value stays ----------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_NAMED_KEEPS_H
#define NVMOVE_SRC_NAMED_KEEPS_H

int nvmi_keeps_check(void);
void nvmi_keeps_enter(void); /* at open: the pool's values win, others are entered */

#endif /* NVMOVE_SRC_NAMED_KEEPS_H */
