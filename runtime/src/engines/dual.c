/*===- dual.c - two copies in the pool, written in turns --------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 *   area   copy 1, list 0, list 1
 *
 * The program writes to private pages. The checkpoint of epoch e writes the lines
 * that changed in e and in e - 1, which that copy lacks, to the copy that does
 * not hold the last commit. So every changed line is written twice, and nothing
 * is logged. (The dual copy variant of ResPCT; PMThreads.)
 *
 * List e % 2 names the lines of epoch e. It is on the medium before their first
 * line is written, so that after a crash only these have to be made equal again.
 */
#include "base/crc32c.h"
#include "base/engine.h"
#include "base/error.h"
#include "base/event.h"
#include "base/memory.h"
#include "base/pool.h"
#include "engines/common.h"
#include "engines/copies.h"
#include "medium/backing.h"
#include "medium/control.h"
#include "medium/media.h"
#include "medium/persist.h"
#include <errno.h>
#include <stddef.h>
#include <string.h>

struct list {
    uint64_t epoch;
    uint64_t count;
    uint32_t crc; /* of the fields above and the numbers */
    uint32_t unused[11];
};
_Static_assert(sizeof(struct list) == NVM_LINE_BYTES, "one line, the numbers follow");

static uint32_t *before; /* the lines of the epoch before, as written to their list */
static size_t before_count;
static unsigned char *listed; /* one byte per line, 0 between two commits */
static uint64_t listed_bytes;

static uint64_t list_offset(const struct nvmi_pool *pool, uint64_t epoch)
{
    uint64_t arena = pool->header.arena_size_bytes;
    uint64_t bytes = sizeof(struct list) + nvmi_line_up(arena / NVM_LINE_BYTES * sizeof(uint32_t));
    return arena + epoch % 2 * bytes;
}

static struct list *list_of(const struct nvmi_pool *pool, uint64_t epoch)
{
    return (struct list *)(void *)(pool->log + list_offset(pool, epoch));
}

static uint32_t *numbers_of(struct list *list)
{
    return (uint32_t *)(void *)(list + 1);
}

static uint32_t list_crc(const struct list *list, const uint32_t *number)
{
    uint32_t crc = nvmi_crc32c(0, list, offsetof(struct list, crc));
    return nvmi_crc32c(crc, number, list->count * sizeof(*number));
}

/* The list of `epoch` if it is whole, else NULL. */
static struct list *whole_list(const struct nvmi_pool *pool, uint64_t epoch)
{
    struct list *list = list_of(pool, epoch);
    uint64_t lines = pool->header.arena_size_bytes / NVM_LINE_BYTES;
    uint64_t offset = list_offset(pool, epoch);
    if (nvmi_area_data_bytes(pool, offset, sizeof(*list)) < sizeof(*list) || list->epoch != epoch ||
        list->count > lines)
        return NULL;
    uint64_t size_bytes = sizeof(*list) + list->count * sizeof(uint32_t);
    nvmi_media_was_read(size_bytes);
    if (nvmi_area_data_bytes(pool, offset, size_bytes) < size_bytes ||
        list->crc != list_crc(list, numbers_of(list)))
        return NULL;
    for (uint64_t i = 0; i < list->count; i++)
        if (numbers_of(list)[i] >= lines)
            return NULL;
    return list;
}

/* Ranges of zero are lines here. */
static void add_zeros(struct nvmi_changes *changes)
{
    struct nvmi_lines *lines = &changes->lines;
    for (size_t i = 0; i < changes->zero_count; i++) {
        uint64_t first = changes->zero[i].offset / NVM_LINE_BYTES;
        uint64_t count = changes->zero[i].size_bytes / NVM_LINE_BYTES;
        if (count > lines->capacity - lines->count)
            nvmi_bug("more changed lines than the heap has");
        for (uint64_t k = 0; k < count; k++)
            lines->number[lines->count++] = (uint32_t)(first + k);
    }
    changes->zero_count = 0;
}

/* Each line once: a list has room for as many as the heap has. */
static void make_unique(struct nvmi_changes *changes)
{
    struct nvmi_lines *lines = &changes->lines;
    size_t kept = 0;
    for (size_t i = 0; i < lines->count; i++)
        if (!listed[lines->number[i]]) {
            listed[lines->number[i]] = 1;
            if (changes->images && kept != i)
                memcpy(changes->images + kept * NVM_LINE_BYTES,
                       changes->images + i * NVM_LINE_BYTES, NVM_LINE_BYTES);
            lines->number[kept++] = lines->number[i];
        }
    lines->count = kept;
    for (size_t i = 0; i < kept; i++)
        listed[lines->number[i]] = 0;
}

static void write_list(struct nvmi_pool *pool, const struct nvmi_lines *lines)
{
    uint64_t epoch = pool->epoch + 1;
    struct list *list = list_of(pool, epoch);
    struct list head = {.epoch = epoch, .count = lines->count};
    head.crc = list_crc(&head, lines->number);
    nvmi_persist->copy(numbers_of(list), lines->number,
                       nvmi_line_up(lines->count * sizeof(uint32_t)));
    nvmi_persist->copy(list, &head, sizeof(head));
    nvmi_barrier(pool);
    nvmi_saved(pool, 1);
    pool->slot.list = 1 + (uint64_t)head.crc;
    NVMI_COUNT(log_bytes, sizeof(head) + lines->count * sizeof(uint32_t));
}

static void commit(struct nvmi_pool *pool, struct nvmi_changes *changes)
{
    bool is_first = pool->slot.state != NVM_STATE_VALID;
    uint64_t which = is_first ? 0 : 1 - pool->slot.copy;
    add_zeros(changes);
    make_unique(changes);
    write_list(pool, &changes->lines); /* sets slot.list, for the slot that is written last */
    if (is_first)
        nvmi_control_write(pool, NVM_STATE_WRITING, pool->epoch + 1);
    struct nvmi_changes old = {.lines = {.number = before, .count = before_count}};
    nvmi_write_lines(pool, nvmi_copy(pool, which), &old, 0, old.lines.count);
    nvmi_write_lines(pool, nvmi_copy(pool, which), changes, 0, changes->lines.count);
    NVMI_COUNT(lines_logged, old.lines.count + changes->lines.count);
    nvmi_copies_commit(pool, which);
    before = numbers_of(list_of(pool, pool->epoch));
    before_count = changes->lines.count;
}

static int examine(struct nvmi_pool *pool)
{
    pool->epoch = pool->control_read.base_epoch - 1;
    if (!pool->restored)
        return 0;
    /* The checkpoint after the one that is open was begun. */
    if (whole_list(pool, pool->epoch + 2))
        return nvmi_fail(EINVAL, "pool-damaged", "%s: the control record is damaged", pool->path);
    const struct list *last = whole_list(pool, pool->epoch);
    uint64_t lost = 0;
    if (pool->control_read.list && (!last || last->crc + 1ull != pool->control_read.list))
        lost = pool->epoch;
    else if (nvmi_saved_in(pool, pool->epoch + 1) && !whole_list(pool, pool->epoch + 1))
        lost = pool->epoch + 1;
    return lost ? nvmi_fail(EINVAL, "pool-damaged", "%s: the list of commit %llu is damaged",
                            pool->path, (unsigned long long)lost)
                : 0;
}

static void make_equal(struct nvmi_pool *pool, struct list *list)
{
    if (!list)
        return;
    const unsigned char *from = nvmi_copy(pool, pool->slot.copy);
    unsigned char *to = nvmi_copy(pool, 1 - pool->slot.copy);
    for (uint64_t i = 0; i < list->count; i++) {
        uint64_t offset = (uint64_t)numbers_of(list)[i] * NVM_LINE_BYTES;
        nvmi_persist->copy(to + offset, from + offset, NVM_LINE_BYTES);
        nvmi_media_was_read(NVM_LINE_BYTES);
        nvmi_event();
    }
}

static int recover(struct nvmi_pool *pool)
{
    before_count = 0;
    uint64_t lines = pool->header.arena_size_bytes / NVM_LINE_BYTES;
    if (lines != listed_bytes) {
        nvmi_release(listed, listed_bytes);
        listed = nvmi_reserve(lines);
        listed_bytes = listed ? lines : 0;
    }
    if (!listed)
        return nvmi_fail(ENOMEM, "no-memory", "no address space for the list of changed lines");
    int error = nvmi_copies_recover(pool);
    if (error || pool->slot.state != NVM_STATE_VALID)
        return error;
    /* Of the last commit, which the other copy lacks; of the one that was cut. */
    make_equal(pool, whole_list(pool, pool->epoch));
    make_equal(pool, whole_list(pool, pool->epoch + 1));
    nvmi_barrier(pool);
    /* An epoch without changes: neither list counts any more. */
    __atomic_store_n(&pool->epoch, pool->epoch + 1, __ATOMIC_RELEASE);
    pool->slot.list = 0;
    nvmi_control_write(pool, NVM_STATE_VALID, pool->epoch + 1);
    return 0;
}

/* A list has at most the lines that have blocks. */
static int back(struct nvmi_pool *pool, uint64_t from, uint64_t to)
{
    int error = nvmi_copies_back(pool, from, to);
    for (unsigned i = 0; i < 2 && !error; i++) {
        uint64_t start = list_offset(pool, i);
        uint64_t first = from ? nvmi_copies_bytes(pool, from) / NVM_LINE_BYTES : 0;
        uint64_t end = nvmi_copies_bytes(pool, to) / NVM_LINE_BYTES;
        error =
            nvmi_back_area(pool, start + first * sizeof(uint32_t),
                           nvmi_line_up(sizeof(struct list) + (end - first) * sizeof(uint32_t)));
    }
    return error;
}

static uint64_t area_bytes(uint64_t pool_bytes)
{
    return pool_bytes / 17 * 9;
}

static uint64_t arena_limit(uint64_t area)
{
    return (area - 4 * NVM_LINE_BYTES) / 9 * 8;
}

const struct nvm_engine nvmi_engine_dual = {
    .name = "dual",
    .number = 7,
    .promise_process = "a checkpoint survives a crash of the process",
    .promise_power = "a checkpoint survives a crash of the process and power loss",
    .durable = true,
    .atomic = true,
    .goes_back = true,
    .side_by_side = true,
    .grows = true,
    .power_on_disk = true,
    .can_replicate = true,
    .second_thread = true,
    .hooked = true,
    .epoch_ms = 64,
    .area_bytes = area_bytes,
    .arena_limit = arena_limit,
    .back = back,
    .examine = examine,
    .view = nvmi_copies_view,
    .recover = recover,
    .commit = commit,
    .wait = nvmi_nothing,
};
