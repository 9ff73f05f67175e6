/*===- pages.c - a replica catches up by pages ------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The copy goes to a draft, so it may be taken while the program changes the heap: what
 * a commit changes meanwhile is marked and sent again, and the last of it when nothing
 * changes.
 */
#include "remote/pages.h"
#include "base/error.h"
#include "heap/state.h"
#include "medium/backing.h"
#include <string.h>

#define AT_ONCE_BYTES (1u << 20) /* of the ring, which has no records meanwhile */
#define BUFFERS 16u

static void mark(uint64_t offset, uint64_t size_bytes)
{
    struct nvmi_replica *r = &nvmi_replica;
    for (uint64_t part = offset / NVMI_PART_BYTES; part * NVMI_PART_BYTES < offset + size_bytes;
         part++) {
        r->dirty[part] = 1;
        __atomic_store_n(&r->to_send[part], 1, __ATOMIC_RELEASE);
    }
}

void nvmi_pages_mark(const struct nvmi_pool *pool, const struct nvmi_changes *changes)
{
    (void)pool;
    for (size_t i = 0; i < changes->lines.count; i++)
        mark((uint64_t)changes->lines.number[i] * NVM_LINE_BYTES, NVM_LINE_BYTES);
    for (size_t i = 0; i < changes->zero_count; i++)
        mark(changes->zero[i].offset, changes->zero[i].size_bytes);
}

static uint64_t pages_in_use(void)
{
    return nvmi_heap_header()->virgin_page;
}

/* For each range of the arena that is in use. */
static unsigned ranges(const struct nvmi_pool *pool, struct nvmi_range range[NVMI_MAX_RANGES])
{
    uint64_t pages = pages_in_use();
    return nvmi_arena_ranges(pool, 0, pages ? pages : 1, range);
}

int nvmi_pages_begin(const struct nvmi_pool *pool, bool whole, bool goes_on)
{
    struct nvmi_replica *r = &nvmi_replica;
    struct nvmi_range range[NVMI_MAX_RANGES];
    if (goes_on) {
        r->state = NVMI_REPLICA_COPYING;
        pthread_mutex_unlock(&nvmi_replica_lock);
    }
    int error = nvmi_link_pages(&r->link, whole, pages_in_use(), &r->arena);
    if (goes_on)
        pthread_mutex_lock(&nvmi_replica_lock);
    if (error)
        return error;
    for (unsigned i = 0, n = ranges(pool, range); i < n; i++)
        for (uint64_t at = range[i].offset; at < range[i].offset + range[i].size_bytes;
             at += NVMI_PART_BYTES) {
            uint64_t part = at / NVMI_PART_BYTES;
            __atomic_store_n(&r->to_send[part], whole ? 1 : r->dirty[part], __ATOMIC_RELEASE);
        }
    return 0;
}

/* Sends what is in the buffer; the next one is free when it has been sent. */
static int flush(unsigned *buffer, uint64_t offset, size_t *filled)
{
    struct nvmi_replica *r = &nvmi_replica;
    if (!*filled)
        return 0;
    int error = nvmi_link_page(&r->link, &r->arena, r->ring + *buffer * (size_t)AT_ONCE_BYTES,
                               offset, *filled);
    *filled = 0;
    *buffer = (*buffer + 1) % BUFFERS;
    if (!error && *buffer == 0)
        error = nvmi_link_drain(&r->link);
    return error;
}

static int copy_range(const struct nvmi_pool *pool, const struct nvmi_range *range,
                      unsigned *buffer)
{
    struct nvmi_replica *r = &nvmi_replica;
    size_t filled = 0;
    uint64_t start = 0, end = range->offset + range->size_bytes;
    if (end > r->arena.size_bytes)
        end = r->arena.size_bytes; /* what has come to be in use since: the last pass has it */
    for (uint64_t at = range->offset / NVMI_PART_BYTES * NVMI_PART_BYTES; at < end;
         at += NVMI_PART_BYTES) {
        bool wanted = __atomic_exchange_n(&r->to_send[at / NVMI_PART_BYTES], 0, __ATOMIC_ACQ_REL);
        if (!wanted || filled + NVMI_PART_BYTES > AT_ONCE_BYTES) {
            int error = flush(buffer, start, &filled);
            if (error)
                return error;
        }
        if (!wanted)
            continue;
        if (!filled)
            start = at;
        memcpy(r->ring + *buffer * (size_t)AT_ONCE_BYTES + filled, pool->heap + at,
               NVMI_PART_BYTES);
        filled += NVMI_PART_BYTES;
        NVMI_COUNT(replica_pages, 1);
    }
    return flush(buffer, start, &filled);
}

int nvmi_pages_copy(const struct nvmi_pool *pool, uint64_t *left)
{
    struct nvmi_replica *r = &nvmi_replica;
    struct nvmi_range range[NVMI_MAX_RANGES];
    unsigned n = ranges(pool, range), buffer = 0;
    *left = 0;
    for (unsigned i = 0; i < n; i++) {
        int error = copy_range(pool, &range[i], &buffer);
        if (error)
            return error;
    }
    int error = nvmi_link_drain(&r->link);
    for (unsigned i = 0; !error && i < n; i++)
        for (uint64_t at = range[i].offset; at < range[i].offset + range[i].size_bytes;
             at += NVMI_PART_BYTES)
            *left += r->to_send[at / NVMI_PART_BYTES];
    return error;
}

static void forget_marks(const struct nvmi_pool *pool)
{
    struct nvmi_range range[NVMI_MAX_RANGES];
    for (unsigned i = 0, n = ranges(pool, range); i < n; i++) {
        uint64_t first = range[i].offset / NVMI_PART_BYTES;
        uint64_t end = (range[i].offset + range[i].size_bytes + NVMI_PART_BYTES - 1);
        memset(nvmi_replica.dirty + first, 0, end / NVMI_PART_BYTES - first);
        memset(nvmi_replica.to_send + first, 0, end / NVMI_PART_BYTES - first);
    }
}

/* The heap may have grown since the draft was begun. */
static int make_room(const struct nvmi_pool *pool)
{
    struct nvmi_replica *r = &nvmi_replica;
    struct nvmi_range range[NVMI_MAX_RANGES];
    unsigned n = ranges(pool, range);
    uint64_t end = range[n - 1].offset + range[n - 1].size_bytes;
    return end <= r->arena.size_bytes ? 0 : nvmi_link_room(&r->link, pages_in_use(), &r->arena);
}

int nvmi_pages_finish(const struct nvmi_pool *pool)
{
    struct nvmi_replica *r = &nvmi_replica;
    uint64_t left;
    int error = make_room(pool);
    if (!error)
        error = nvmi_pages_copy(pool, &left);
    if (!error)
        error = nvmi_link_valid(&r->link, pool->epoch);
    if (error)
        return error;
    forget_marks(pool);
    r->spilled = false;
    r->base = pool->epoch;
    __atomic_store_n(&r->confirmed, pool->epoch, __ATOMIC_RELEASE);
    return 0;
}
