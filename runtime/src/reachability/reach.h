/*===- reach.h - which blocks can the roots reach? --------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Marking looks at bytes, not at types: whatever holds an address in its low 48
 * bits, at any offset, aligned or not, reaches the block that the address leads to
 * or into. What a block is called (its type) proves nothing about all of its
 * bytes: one block may hold a record and a string, a record after a record, a
 * pool of the program's own.
 *
 * Typed marking believes the layouts as far as they go: words of the record with
 * which a block begins are passed over where a field is that can hold no pointer, or
 * where pointers do not begin.
 *
 * Allocates nothing with malloc(), since it also runs in a child that was forked
 * while another thread might have held malloc's locks.
 */
#ifndef NVMOVE_SRC_REACH_H
#define NVMOVE_SRC_REACH_H

#include "base/pool.h"
#include "heap/state.h"

#define NVMI_UNIT_BYTES 16u /* blocks begin at multiples */
#define NVMI_PAGE_UNITS (NVM_PAGE_BYTES / NVMI_UNIT_BYTES)

/* What the pool says of a type. */
struct nvmi_reach_type {
    uint32_t count_offset, count_bytes;  /* of NVM_COUNT, in the block; 0 bytes: it has none */
    uint32_t prefix_bytes;               /* of the block, before the object */
    const struct nvm_disk_entry *layout; /* to be believed; NULL: look at all bytes */
};

struct nvmi_reach {
    uint64_t heap_address; /* where the heap lies in the view of its pointers */
    uint64_t *reached;     /* a bit for each unit of the pages: a reached block begins there */
    uint64_t *stack;       /* addresses of blocks that are to be looked through */
    size_t stack_count, stack_capacity;
    uint32_t *references; /* for each unit: pointers to the object's first byte, if counted */
    struct nvmi_reach_type *types; /* by number */
    size_t unit_count;
    struct nvmi_block block; /* that is looked through; no start: a table is */
};

/* Of the open heap as this process sees it: marks all that the tables (roots, kept
 * values, named regions), the load's result and the twins reach; all blocks where a type
 * has fields that are computed from addresses. Its pointers take
 * the heap to be at heap_address, wherever it is mapped. 0, or ENOMEM with its message.
 * Nothing may change meanwhile. */
int nvmi_reach(struct nvmi_reach *reach, uint64_t heap_address, bool typed);
void nvmi_reach_release(struct nvmi_reach *reach);

/* Those of pages that were ever used. */
static inline size_t nvmi_units_in_use(void)
{
    return (size_t)nvmi_heap_header()->virgin_page * NVMI_PAGE_UNITS;
}

static inline uint64_t nvmi_unit_of(const void *block)
{
    return (uint64_t)((const unsigned char *)block - nvmi_heap.pages) / NVMI_UNIT_BYTES;
}

static inline bool nvmi_is_reached(const struct nvmi_reach *reach, const void *block)
{
    uint64_t unit = nvmi_unit_of(block);
    return reach->reached[unit / 64] >> unit % 64 & 1;
}

/* Calls `see` for each block that is in the pool's last commit; what was
 * allocated since is left out. */
void nvmi_each_committed(void (*see)(void *context, const struct nvmi_block *block), void *context);

#endif /* NVMOVE_SRC_REACH_H */
