/*===- root_locks.h - locks in roots ----------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Whether a lock is held is this process's: its bytes are neither compared nor given
 * back, though what they lie in is.
 */
#ifndef NVMOVE_SRC_NAMED_ROOT_LOCKS_H
#define NVMOVE_SRC_NAMED_ROOT_LOCKS_H

#include <stdbool.h>
#include <stddef.h>

/* `kept` is the pool's copy of what lies at `place`. */
bool nvmi_root_differs(const void *place, const void *kept, size_t size_bytes);
void nvmi_root_give_back(void *place, const void *kept, size_t size_bytes);

#endif /* NVMOVE_SRC_NAMED_ROOT_LOCKS_H */
