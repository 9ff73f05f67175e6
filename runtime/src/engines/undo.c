/*===- undo.c - stores in place, log of what was there before ---------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The lines of one announcement make one or more entries, and one fence. So a
 * hook for a whole object costs little more than one for a word in it.
 */
#include "base/crc32c.h"
#include "base/engine.h"
#include "base/error.h"
#include "base/pool.h"
#include "engines/common.h"
#include "engines/direct.h"
#include "medium/backing.h"
#include "medium/control.h"
#include "medium/media.h"
#include "medium/persist.h"
#include <errno.h>
#include <stddef.h>
#include <string.h>

#define ENTRY_LINES 11u

/* The images follow. */
struct entry {
    uint64_t epoch;
    uint32_t pool_tag;
    uint32_t count;
    uint32_t crc; /* of the fields above, the numbers in use and the images */
    uint32_t number[ENTRY_LINES];
};
_Static_assert(sizeof(struct entry) == NVM_LINE_BYTES, "one line");

/* How far after an unreadable entry a later one is looked for. */
#define LOOK_AHEAD_BYTES (1u << 20)
#define FIRST_LOOK_BYTES (2 * LOOK_AHEAD_BYTES)

static uint64_t head; /* where the next entry goes */

static uint32_t tag_of(const struct nvmi_pool *pool)
{
    uint32_t tag;
    memcpy(&tag, pool->header.uuid, sizeof(tag));
    return tag;
}

static uint32_t head_crc(const struct entry *e)
{
    uint32_t crc = nvmi_crc32c(0, e, offsetof(struct entry, crc));
    return nvmi_crc32c(crc, e->number, e->count * sizeof(e->number[0]));
}

static void append(struct nvmi_pool *pool, const uint32_t *number, uint32_t count)
{
    uint64_t size_bytes = (1 + (uint64_t)count) * NVM_LINE_BYTES;
    if (!nvmi_back_log(pool, head + size_bytes))
        nvmi_die(NVMI_EXIT_FULL, "log-full",
                 "%s: one section changed more than the log of %llu bytes holds%s", pool->path,
                 (unsigned long long)pool->log_backed_bytes, nvmi_log_full_reason(pool));
    struct entry e = {.epoch = pool->epoch + 1, .pool_tag = tag_of(pool), .count = count};
    memcpy(e.number, number, count * sizeof(*number));
    unsigned char *to = pool->log + head;
    e.crc = nvmi_persist->gather(head_crc(&e), to + sizeof(e), pool->heap, number, count);
    nvmi_persist->copy(to, &e, sizeof(e));
    nvmi_media_was_read(count * (uint64_t)NVM_LINE_BYTES);
    head += size_bytes;
    NVMI_COUNT(lines_logged, count);
    NVMI_COUNT(log_bytes, size_bytes);
}

static void save(struct nvmi_pool *pool, const uint32_t *number, size_t count)
{
    uint32_t old[ENTRY_LINES], n = 0;
    uint64_t before = head;
    for (size_t i = 0; i < count; i++) {
        if (!nvmi_direct_must_save(pool, number[i]))
            continue;
        old[n++] = number[i];
        if (n == ENTRY_LINES) {
            append(pool, old, n);
            n = 0;
        }
    }
    if (n)
        append(pool, old, n);
    if (head == before)
        return;
    nvmi_persist->fence();
    nvmi_saved(pool, head / NVM_LINE_BYTES);
}

static void commit(struct nvmi_pool *pool, struct nvmi_changes *changes)
{
    nvmi_direct_commit(pool, changes);
    head = 0;
}

static const struct entry *entry_at(const struct nvmi_pool *pool, uint64_t offset, uint64_t epoch)
{
    uint64_t room = pool->header.log_size_bytes - offset;
    const struct entry *e = (const void *)(pool->log + offset);
    if (offset + sizeof(*e) > pool->log_data_bytes || e->epoch != epoch ||
        e->pool_tag != tag_of(pool) || e->count == 0 || e->count > ENTRY_LINES ||
        (1 + (uint64_t)e->count) * NVM_LINE_BYTES > room)
        return NULL;
    nvmi_media_was_read((1 + (uint64_t)e->count) * NVM_LINE_BYTES);
    for (uint32_t i = 0; i < e->count; i++)
        if (e->number[i] >= pool->header.arena_size_bytes / NVM_LINE_BYTES)
            return NULL;
    return nvmi_crc32c_lines(head_crc(e), (const unsigned char *)(e + 1), e->count) == e->crc
               ? e
               : NULL;
}

/* The entries before the end are whole: each was fenced before the next. */
static uint64_t end_of_log(const struct nvmi_pool *pool, uint64_t epoch)
{
    uint64_t at = 0;
    const struct entry *e;
    while ((e = entry_at(pool, at, epoch)))
        at += (1 + (uint64_t)e->count) * NVM_LINE_BYTES;
    return at;
}

/* Looks at more of the log until what was looked at reaches beyond the end. */
static uint64_t find_end(struct nvmi_pool *pool, uint64_t epoch)
{
    for (uint64_t look = FIRST_LOOK_BYTES;; look *= 4) {
        pool->log_data_bytes = nvmi_area_data_bytes(pool, 0, look);
        uint64_t at = end_of_log(pool, epoch);
        if (at + LOOK_AHEAD_BYTES <= look || look >= pool->header.log_size_bytes)
            return at;
    }
}

/* The log of the epoch after the one that the control slot knows, or an entry
 * after an unreadable one, shows that something was whole once. One fence may
 * follow several entries of one announcement, so only what lies beyond
 * such a group counts. */
static int examine(struct nvmi_pool *pool)
{
    uint64_t epoch = pool->control_read.base_epoch;
    pool->epoch = epoch - 1;
    if (!pool->restored)
        return 0;
    pool->log_data_bytes = nvmi_area_data_bytes(pool, 0, FIRST_LOOK_BYTES);
    if (entry_at(pool, 0, epoch + 1))
        return nvmi_fail(EINVAL, "pool-damaged", "%s: the control record is damaged", pool->path);
    uint64_t at = find_end(pool, epoch),
             room = at < pool->log_data_bytes ? pool->log_data_bytes - at : 0;
    if (at / NVM_LINE_BYTES < nvmi_saved_in(pool, epoch))
        return nvmi_fail(EINVAL, "pool-damaged", "%s: the undo log is damaged", pool->path);
    uint64_t group = NVMI_SAVE_LINES / ENTRY_LINES * (ENTRY_LINES + 1) * NVM_LINE_BYTES + 1024;
    for (uint64_t i = group; i < room && i < LOOK_AHEAD_BYTES; i += NVM_LINE_BYTES)
        if (entry_at(pool, at + i, epoch))
            return nvmi_fail(EINVAL, "pool-damaged", "%s: the undo log is damaged", pool->path);
    return 0;
}

static void roll_back(struct nvmi_pool *pool, nvmi_put *put, uint64_t limit_bytes)
{
    uint64_t epoch = pool->control_read.base_epoch, end = end_of_log(pool, epoch);
    for (uint64_t at = 0; at < end;) {
        const struct entry *e = (const void *)(pool->log + at);
        const unsigned char *image = (const unsigned char *)(e + 1);
        for (uint32_t i = 0; i < e->count; i++, image += NVM_LINE_BYTES)
            if ((uint64_t)e->number[i] * NVM_LINE_BYTES < limit_bytes)
                put(pool, e->number[i], image);
        at += (1 + (uint64_t)e->count) * NVM_LINE_BYTES;
    }
}

static int view(struct nvmi_pool *pool, uint64_t limit_bytes)
{
    roll_back(pool, nvmi_put_view, limit_bytes);
    return 0;
}

static int recover(struct nvmi_pool *pool)
{
    head = 0;
    return nvmi_direct_recover(pool, roll_back);
}

static uint64_t area_bytes(uint64_t pool_bytes)
{
    return pool_bytes / 8;
}

const struct nvm_engine nvmi_engine_undo = {
    .name = "undo",
    .number = 2,
    .promise_process = "a commit survives a crash of the process",
    .promise_power = "a commit survives a crash of the process and power loss",
    .durable = true,
    .direct = true,
    .hooked = true,
    .area_bytes = area_bytes,
    .back = nvmi_back_log_share,
    .examine = examine,
    .view = view,
    .recover = recover,
    .save = save,
    .commit = commit,
    .wait = nvmi_nothing,
};
