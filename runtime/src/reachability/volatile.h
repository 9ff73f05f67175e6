/*===- volatile.h - pointers to what ended with another process -------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_REACHABILITY_VOLATILE_H
#define NVMOVE_SRC_REACHABILITY_VOLATILE_H

#include "reachability/reach.h"

/* May pointers in the pool lead to what ended with another process? */
bool nvmi_volatile_due(void);
/* Clears them, by ordinary commits. Afterwards none are due until the pool has been closed. */
void nvmi_volatile_clear(const struct nvmi_reach *reach);
void nvmi_volatile_close(void);

#endif /* NVMOVE_SRC_REACHABILITY_VOLATILE_H */
