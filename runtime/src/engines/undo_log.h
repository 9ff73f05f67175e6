/*===- undo_log.h - the contents of the log of undo -------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The log is cut into slices. In each the entries follow each other, and the first
 * that is not whole is the end. A slice but the first has a head before its entries,
 * which was behind a fence before there was an entry, and before the next
 * slice was begun. So the slices of an epoch are those up to the first without a head of it.
 * A thread adds to one slice at a time, until it has no room for the next entry.
 */
#ifndef NVMOVE_SRC_ENGINES_UNDO_LOG_H
#define NVMOVE_SRC_ENGINES_UNDO_LOG_H

#include "base/pool.h"
#include "engines/direct.h"
#include "medium/log_limit.h"
#include <string.h>

#define NVMI_ENTRY_LINES 11u

/* The images follow. */
struct nvmi_entry {
    uint64_t epoch;
    uint32_t pool_tag;
    uint32_t count;
    uint32_t crc; /* of the fields above, the numbers in use and the images */
    uint32_t number[NVMI_ENTRY_LINES];
};
_Static_assert(sizeof(struct nvmi_entry) == NVM_LINE_BYTES, "one line");

/* An entry to which lines are added one by one. `count` and `check` are stored with one store;
 * `check` is a sum of everything except these two, which changes with any flipped bit. */
struct nvmi_open_entry {
    uint64_t epoch;
    uint32_t count, check;
    uint32_t pool_tag; /* at the place of an entry's checksum, which is unlikely to equal it */
    uint32_t number[NVMI_ENTRY_LINES];
};
_Static_assert(sizeof(struct nvmi_open_entry) == sizeof(struct nvmi_entry), "in one log");

struct nvmi_slice_head {
    uint64_t epoch;
    uint32_t pool_tag;
    uint32_t number;     /* of the slice */
    uint64_t left_whole; /* up to here, in the log, the thread's slice before this one was filled;
                            0: it had none */
    uint32_t pad[9];
    uint32_t crc; /* of the fields above */
};
_Static_assert(sizeof(struct nvmi_slice_head) == NVM_LINE_BYTES, "one line");

static inline uint64_t nvmi_slice_bytes(const struct nvmi_pool *pool)
{
    return nvmi_log_slice_bytes(pool->header.log_size_bytes);
}

static inline uint32_t nvmi_entry_tag(const struct nvmi_pool *pool)
{
    uint32_t tag;
    memcpy(&tag, pool->header.uuid, sizeof(tag));
    return tag;
}

uint32_t nvmi_entry_crc(const struct nvmi_entry *e); /* without the images */
uint32_t nvmi_slice_head_crc(const struct nvmi_slice_head *h);

/* Odd factors: no change of one bit is lost, and none of a crash has to be found. */
#define NVMI_CHECK_FACTOR 0x9e3779b97f4a7c15u
static inline uint32_t nvmi_first_check(const struct nvmi_open_entry *e)
{
    return (uint32_t)(e->epoch * NVMI_CHECK_FACTOR >> 32) ^ e->pool_tag;
}
static inline uint32_t nvmi_next_check(uint32_t check, uint32_t number, const void *image)
{
    uint64_t word[NVM_LINE_BYTES / sizeof(uint64_t)],
        sum = (check ^ (uint64_t)number << 32) * NVMI_CHECK_FACTOR;
    memcpy(word, image, sizeof(word));
    for (unsigned i = 0; i < NVM_LINE_BYTES / sizeof(*word); i++)
        sum += word[i] * (NVMI_CHECK_FACTOR + 2 * i);
    return (uint32_t)(sum >> 32) ^ (uint32_t)sum;
}

/* Of the engine undo. Reading only, when the pool is opened. */
int nvmi_undo_examine(struct nvmi_pool *pool);
void nvmi_undo_roll_back(struct nvmi_pool *pool, nvmi_put *put, uint64_t limit_bytes);

#endif /* NVMOVE_SRC_ENGINES_UNDO_LOG_H */
