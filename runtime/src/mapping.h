/*===- mapping.h - the pool file in the address space -----------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_MAPPING_H
#define NVMOVE_SRC_MAPPING_H

#include "pool.h"

/* Maps, for pool->header: the arena privately at its fixed address (the working
 * copy), and shared wherever it fits the arena (the home copy), the log and the
 * control slots. 0; ENOMEM [address-taken] or [no-memory]. nvmi_unmap() undoes
 * it, also what was done before a failure. */
int nvmi_map(struct nvmi_pool *pool, uint64_t control_offset);
void nvmi_unmap(struct nvmi_pool *pool);

#endif /* NVMOVE_SRC_MAPPING_H */
