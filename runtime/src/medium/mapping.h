/*===- mapping.h - the pool file in the address space -----------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_MAPPING_H
#define NVMOVE_SRC_MAPPING_H

#include "base/pool.h"

/* Maps, for pool->header: the arena privately at its fixed address (the working
 * copy), and shared, wherever they fit, the arena (the home copy), the log and
 * the control slots. With `only_look` the working copy is anywhere too, and the
 * shared mappings cannot be written to. 0; ENOMEM [address-taken] or [no-memory]. nvmi_unmap()
 * undoes it, also what was done before a failure. */
int nvmi_map(struct nvmi_pool *pool, uint64_t control_offset, bool only_look);
/* Has the program write to the home copy itself from now on. */
int nvmi_map_direct(struct nvmi_pool *pool);
/* The working copy shows, privately, the start of the engine's area. */
int nvmi_map_area_as_heap(struct nvmi_pool *pool);
void nvmi_unmap(struct nvmi_pool *pool);

#endif /* NVMOVE_SRC_MAPPING_H */
