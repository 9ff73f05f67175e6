/*===- volatile.h - pointers to what ended with another process -------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_WALK_VOLATILE_H
#define NVMOVE_SRC_WALK_VOLATILE_H

#include "walk/reach.h"

bool nvmi_volatile_due(void); /* pointers may lead to what ended with another process */
void nvmi_volatile_clear(const struct nvmi_reach *reach);
void nvmi_volatile_close(void);

#endif /* NVMOVE_SRC_WALK_VOLATILE_H */
