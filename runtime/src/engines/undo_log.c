/*===- undo_log.c - reading the log of undo ---------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "engines/undo_log.h"
#include "base/crc32c.h"
#include "base/error.h"
#include "base/memory.h"
#include "medium/backing.h"
#include "medium/control.h"
#include "medium/media.h"
#include <errno.h>
#include <stddef.h>
#include <string.h>

/* How far behind the last slice a later one is looked for. */
#define LOOK_AHEAD_BYTES (1u << 20)
#define FIRST_LOOK_BYTES (2 * LOOK_AHEAD_BYTES)

uint32_t nvmi_entry_crc(const struct nvmi_entry *e)
{
    uint32_t crc = nvmi_crc32c(0, e, offsetof(struct nvmi_entry, crc));
    return nvmi_crc32c(crc, e->number, e->count * sizeof(e->number[0]));
}

uint32_t nvmi_slice_head_crc(const struct nvmi_slice_head *h)
{
    return nvmi_crc32c(0, h, offsetof(struct nvmi_slice_head, crc));
}

/* What an entry of either kind saved. */
struct saved {
    uint32_t count;
    const uint32_t *number;
    const unsigned char *image;
};

static uint64_t bytes_of(const struct saved *s)
{
    return (1 + (uint64_t)s->count) * NVM_LINE_BYTES;
}

static bool fits(const struct nvmi_pool *pool, uint64_t room, const struct saved *s)
{
    if (s->count == 0 || s->count > NVMI_ENTRY_LINES || bytes_of(s) > room)
        return false;
    nvmi_media_was_read(bytes_of(s));
    for (uint32_t i = 0; i < s->count; i++)
        if (s->number[i] >= pool->header.arena_size_bytes / NVM_LINE_BYTES)
            return false;
    return true;
}

static bool check_is_right(const struct nvmi_open_entry *e)
{
    uint32_t check = nvmi_first_check(e);
    for (uint32_t i = 0; i < e->count; i++)
        check = nvmi_next_check(check, e->number[i], e + 1 + i);
    return check == e->check;
}

static bool entry_at(const struct nvmi_pool *pool, uint64_t offset, uint64_t epoch,
                     struct saved *out)
{
    const struct nvmi_entry *e = (const void *)(pool->log + offset);
    const struct nvmi_open_entry *o = (const void *)e;
    const unsigned char *image = (const unsigned char *)(e + 1);
    if (offset + sizeof(*e) > pool->log_data_bytes || e->epoch != epoch)
        return false;
    uint64_t size = nvmi_slice_bytes(pool), room = size - offset % size;
    if (room > pool->header.log_size_bytes - offset)
        return false; /* no slice, but what is left behind the last one */
    if (o->pool_tag == nvmi_entry_tag(pool)) {
        *out = (struct saved){o->count, o->number, image};
        if (fits(pool, room, out) && check_is_right(o))
            return true;
    }
    *out = (struct saved){e->count, e->number, image};
    return e->pool_tag == nvmi_entry_tag(pool) && fits(pool, room, out) &&
           nvmi_crc32c_lines(nvmi_entry_crc(e), image, e->count) == e->crc;
}

static const struct nvmi_slice_head *head_at(const struct nvmi_pool *pool, uint64_t offset,
                                             uint64_t epoch)
{
    const struct nvmi_slice_head *h = (const void *)(pool->log + offset);
    uint64_t size = nvmi_slice_bytes(pool);
    bool is = offset && offset % size == 0 && offset + sizeof(*h) <= pool->log_data_bytes &&
              h->epoch == epoch && h->pool_tag == nvmi_entry_tag(pool) &&
              h->number == offset / size && nvmi_slice_head_crc(h) == h->crc;
    return is ? h : NULL;
}

/* Where the entries of a slice begin. */
static uint64_t first_entry(uint64_t slice)
{
    return slice ? slice + sizeof(struct nvmi_slice_head) : 0;
}

/* What a slice has saved: in so many lines, up to there. Each entry was fenced before the next. */
static uint64_t end_of_entries(const struct nvmi_pool *pool, uint64_t slice, uint64_t epoch,
                               uint64_t *lines)
{
    struct saved saved;
    uint64_t at = first_entry(slice), end = slice + nvmi_slice_bytes(pool);
    for (; at < end && entry_at(pool, at, epoch, &saved); at += bytes_of(&saved))
        *lines += saved.count;
    return at;
}

/* Behind the last slice with a head. */
static uint64_t end_of_slices(const struct nvmi_pool *pool, uint64_t epoch)
{
    uint64_t size = nvmi_slice_bytes(pool), end = size;
    while (head_at(pool, end, epoch))
        end += size;
    return end;
}

/* Looks at more of the log until what was looked at reaches beyond the end. */
static uint64_t find_end(struct nvmi_pool *pool, uint64_t epoch)
{
    for (uint64_t look = FIRST_LOOK_BYTES;; look *= 4) {
        pool->log_data_bytes = nvmi_area_data_bytes(pool, 0, look);
        uint64_t end = end_of_slices(pool, epoch);
        if (end + LOOK_AHEAD_BYTES <= look || look >= pool->header.log_size_bytes)
            return end;
    }
}

/* Is there an entry or a head? */
static bool something_in(const struct nvmi_pool *pool, uint64_t from, uint64_t to, uint64_t epoch)
{
    struct saved saved;
    for (; from < to && from < pool->log_data_bytes; from += NVM_LINE_BYTES)
        if (entry_at(pool, from, epoch, &saved) || head_at(pool, from, epoch))
            return true;
    return false;
}

/* One fence may follow several entries of one announcement, so only what lies beyond such a
 * group shows that an entry was whole once. */
#define GROUP_BYTES                                                                                \
    ((uint64_t)NVMI_SAVE_LINES / NVMI_ENTRY_LINES * (NVMI_ENTRY_LINES + 1) * NVM_LINE_BYTES + 1024)

/* `ends`: of the entries of each slice, by its number. */
static bool is_damaged(const struct nvmi_pool *pool, uint64_t epoch, uint64_t end, uint64_t *ends)
{
    uint64_t size = nvmi_slice_bytes(pool), lines = 0;
    for (uint64_t slice = 0; slice < end; slice += size) {
        uint64_t at = ends[slice / size] = end_of_entries(pool, slice, epoch, &lines);
        if (something_in(pool, at + GROUP_BYTES, slice + size, epoch))
            return true;
    }
    for (uint64_t slice = size; slice < end; slice += size) {
        uint64_t left = head_at(pool, slice, epoch)->left_whole;
        if (left > end || (left && ends[(left - 1) / size] < left))
            return true;
    }
    return lines < nvmi_saved_in(pool, epoch) ||
           something_in(pool, end, end + LOOK_AHEAD_BYTES, epoch);
}

/* The log of the epoch after the one that the control slot knows shows that the slot was whole
 * once. */
int nvmi_undo_examine(struct nvmi_pool *pool)
{
    uint64_t epoch = pool->control_read.base_epoch, size = nvmi_slice_bytes(pool);
    pool->epoch = epoch - 1;
    if (!pool->restored)
        return 0;
    pool->log_data_bytes = nvmi_area_data_bytes(pool, 0, FIRST_LOOK_BYTES);
    struct saved saved;
    if (entry_at(pool, 0, epoch + 1, &saved) || head_at(pool, size, epoch + 1))
        return nvmi_fail(EINVAL, "pool-damaged", "%s: the control record is damaged", pool->path);
    uint64_t end = find_end(pool, epoch), ends_bytes = end / size * sizeof(uint64_t);
    uint64_t *ends = nvmi_reserve(ends_bytes);
    if (!ends)
        return nvmi_fail(ENOMEM, "no-memory", "no address space for the ends of the slices");
    bool damaged = is_damaged(pool, epoch, end, ends);
    nvmi_release(ends, ends_bytes);
    return damaged ? nvmi_fail(EINVAL, "pool-damaged", "%s: the undo log is damaged", pool->path)
                   : 0;
}

static void roll_back_slice(struct nvmi_pool *pool, uint64_t slice, nvmi_put *put,
                            uint64_t limit_bytes)
{
    uint64_t epoch = pool->control_read.base_epoch, end = slice + nvmi_slice_bytes(pool);
    struct saved saved;
    for (uint64_t at = first_entry(slice); at < end && entry_at(pool, at, epoch, &saved);
         at += bytes_of(&saved))
        for (uint32_t i = 0; i < saved.count; i++)
            if ((uint64_t)saved.number[i] * NVM_LINE_BYTES < limit_bytes)
                put(pool, saved.number[i], saved.image + (uint64_t)i * NVM_LINE_BYTES);
}

/* In any order: an epoch saves each line once. */
void nvmi_undo_roll_back(struct nvmi_pool *pool, nvmi_put *put, uint64_t limit_bytes)
{
    uint64_t end = end_of_slices(pool, pool->control_read.base_epoch);
    for (uint64_t slice = 0; slice < end; slice += nvmi_slice_bytes(pool))
        roll_back_slice(pool, slice, put, limit_bytes);
}
