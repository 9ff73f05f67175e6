/*===- versions.c - old versions are linked, one number commits -------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 *   area   words: for each line of the arena, the number of the epoch that changed
 *                 it last and the slot of what it held before
 *          slots, two halves: epoch e uses half e % 2
 *
 * After VerP: a datum carries its version and a link to its old version, one
 * global version number commits, recovery discards what is newer. Of each line
 * the newest old version is kept, until the epoch after the next one begins.
 * The layout of the program's objects is its own, so the numbers and links stand
 * in a table beside.
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

#define SLOT_BITS 24u
#define SLOT_LIMIT (1ull << SLOT_BITS)
/* How far after a slot that is not whole a later one is looked for. */
#define LOOK_AHEAD_SLOTS (1u << 13)
#define FIRST_LOOK_BYTES (2 * LOOK_AHEAD_SLOTS * sizeof(struct slot))

struct slot {
    unsigned char image[NVM_LINE_BYTES];
    uint64_t epoch;
    uint64_t older; /* the word before: of the version before that */
    uint32_t line;
    uint32_t crc; /* of the fields above, the image last */
    unsigned char unused[40];
};
_Static_assert(sizeof(struct slot) == 2 * NVM_LINE_BYTES, "two lines");

static uint64_t *words;
static struct slot *slots; /* of both halves */
static uint64_t half_slots, used;
static uint64_t grown; /* slots of each half that large sections have got blocks for */

static uint64_t slots_offset(const struct nvmi_pool *pool)
{
    return nvmi_line_up(pool->header.arena_size_bytes / NVM_LINE_BYTES * sizeof(*words));
}

/* In each half, of a pool that has grown so far. */
static uint64_t slots_for(const struct nvmi_pool *pool, uint64_t pages)
{
    uint64_t bytes = pool->header.log_size_bytes - slots_offset(pool);
    uint64_t all = bytes / sizeof(struct slot) / 2;
    return (all < SLOT_LIMIT ? all : SLOT_LIMIT) * pages / pool->header.page_count;
}

static void locate(const struct nvmi_pool *pool)
{
    words = (uint64_t *)(void *)pool->log;
    slots = (struct slot *)(void *)(pool->log + slots_offset(pool));
    half_slots = slots_for(pool, pool->header.page_count);
    grown = 0;
}

/* Slots of each half that have blocks. */
static uint64_t room(const struct nvmi_pool *pool)
{
    uint64_t share = slots_for(pool, __atomic_load_n(&pool->backed_pages, __ATOMIC_RELAXED));
    uint64_t more = __atomic_load_n(&grown, __ATOMIC_RELAXED);
    return share > more ? share : more;
}

/* One section may change more lines than the pool's size so far has slots for. */
static bool grow(struct nvmi_pool *pool)
{
    uint64_t have = room(pool), wanted = 2 * have + 1024;
    if (wanted > half_slots)
        wanted = half_slots;
    for (unsigned half = 0; half < 2 && wanted > have; half++)
        if (nvmi_back_area(pool, slots_offset(pool) + (half * half_slots + have) * sizeof(*slots),
                           (wanted - have) * sizeof(*slots)) != 0)
            return false;
    __atomic_store_n(&grown, wanted, __ATOMIC_RELAXED);
    return wanted > have;
}

static struct slot *slot_at(uint64_t epoch, uint64_t index)
{
    return &slots[epoch % 2 * half_slots + index];
}

static uint32_t slot_crc(const struct slot *s)
{
    size_t from = offsetof(struct slot, epoch), to = offsetof(struct slot, crc);
    return nvmi_crc32c_lines(nvmi_crc32c(0, (const unsigned char *)s + from, to - from), s->image,
                             1);
}

static void save_line(struct nvmi_pool *pool, uint32_t line)
{
    if (used >= room(pool) && !grow(pool))
        nvmi_die(NVMI_EXIT_FULL, "log-full",
                 "%s: one epoch changed more than the %llu lines that old versions have room for",
                 pool->path, (unsigned long long)used);
    uint64_t epoch = pool->epoch + 1;
    struct slot s = {.epoch = epoch, .older = words[line], .line = line};
    memcpy(s.image, pool->heap + (uint64_t)line * NVM_LINE_BYTES, NVM_LINE_BYTES);
    s.crc = slot_crc(&s);
    nvmi_persist->copy(slot_at(epoch, used), &s, sizeof(s));
    nvmi_media_was_read(sizeof(s.image) + sizeof(words[line]));
    words[line] = epoch << SLOT_BITS | used;
    __atomic_store_n(&used, used + 1, __ATOMIC_RELAXED); /* presses() looks */
    NVMI_COUNT(lines_logged, 1);
    NVMI_COUNT(log_bytes, sizeof(s));
}

static void save(struct nvmi_pool *pool, const uint32_t *number, size_t count)
{
    const unsigned char *last = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!nvmi_direct_must_save(pool, number[i]))
            continue;
        save_line(pool, number[i]);
        /* Words of neighbours share a line. */
        const unsigned char *word_line = (const unsigned char *)(words + number[i] / 8 * 8);
        if (last && last != word_line)
            nvmi_persist->flush(last, NVM_LINE_BYTES);
        last = word_line;
    }
    if (!last)
        return;
    nvmi_persist->flush(last, NVM_LINE_BYTES);
    nvmi_persist->fence();
    nvmi_saved(pool, used);
}

static void commit(struct nvmi_pool *pool, struct nvmi_changes *changes)
{
    nvmi_direct_commit(pool, changes);
    __atomic_store_n(&used, 0, __ATOMIC_RELAXED);
}

/* The epoch goes on while there can be more room. */
static bool presses(const struct nvmi_pool *pool)
{
    if (__atomic_load_n(&used, __ATOMIC_RELAXED) <= room(pool) / 2)
        return false;
    nvmi_owner_lock(&nvmi_engine_lock); /* stores outside sections save, too */
    bool full = !grow(&nvmi_pool);
    nvmi_owner_unlock(&nvmi_engine_lock);
    return full;
}

static int examine(struct nvmi_pool *pool)
{
    pool->epoch = pool->control_read.base_epoch - 1;
    locate(pool);
    return 0;
}

/* The slots of the open epoch say which lines it changed; the words need not be read. */
static bool is_whole(const struct nvmi_pool *pool, uint64_t index, uint64_t epoch)
{
    const struct slot *s = slot_at(epoch, index);
    nvmi_media_was_read(sizeof(*s));
    return s->epoch == epoch && s->crc == slot_crc(s) &&
           s->line < pool->header.arena_size_bytes / NVM_LINE_BYTES;
}

/* Behind the last whole slot of the epoch. */
static uint64_t end_of_slots(const struct nvmi_pool *pool, uint64_t epoch)
{
    uint64_t offset = (uint64_t)((unsigned char *)slot_at(epoch, 0) - pool->log), end = 0, i = 0;
    for (uint64_t look = FIRST_LOOK_BYTES;; look *= 4) {
        uint64_t most = nvmi_area_data_bytes(pool, offset, look) / sizeof(struct slot);
        most = most < half_slots ? most : half_slots;
        for (; i < most && i < end + LOOK_AHEAD_SLOTS; i++)
            if (is_whole(pool, i, epoch))
                end = i + 1;
        uint64_t seen = look / sizeof(struct slot);
        if (seen >= half_slots || seen >= end + LOOK_AHEAD_SLOTS)
            return end;
    }
}

/* A slot that is not whole: the fence was not reached, and the line had not changed. */
static void roll_back(struct nvmi_pool *pool, nvmi_put *put, uint64_t limit_bytes)
{
    uint64_t epoch = pool->control_read.base_epoch;
    for (uint64_t i = end_of_slots(pool, epoch); i-- > 0;) {
        const struct slot *s = slot_at(epoch, i);
        if (is_whole(pool, i, epoch) && (uint64_t)s->line * NVM_LINE_BYTES < limit_bytes)
            put(pool, s->line, s->image);
    }
}

/* An epoch later than the one that is open was begun: the control slot that
 * ended this one was whole once. */
static bool is_stale(const struct nvmi_pool *pool)
{
    return is_whole(pool, 0, pool->control_read.base_epoch + 1);
}

/* So many slots of the open epoch were whole: those that the marks know of, and all that
 * are older than the announcement of one that is. */
static bool all_saved(const struct nvmi_pool *pool)
{
    uint64_t epoch = pool->control_read.base_epoch, known = nvmi_saved_in(pool, epoch);
    uint64_t end = end_of_slots(pool, epoch);
    if (end > known + NVMI_SAVE_LINES)
        known = end - NVMI_SAVE_LINES;
    if (known > end)
        return false;
    for (uint64_t i = 0; i < known; i++)
        if (!is_whole(pool, i, epoch))
            return false;
    return true;
}

static int view(struct nvmi_pool *pool, uint64_t limit_bytes)
{
    if (!pool->restored)
        return 0;
    if (is_stale(pool))
        return nvmi_fail(EINVAL, "pool-damaged", "%s: the control record is damaged", pool->path);
    if (!all_saved(pool))
        return nvmi_fail(EINVAL, "pool-damaged", "%s: the table of old versions is damaged",
                         pool->path);
    roll_back(pool, nvmi_put_view, limit_bytes);
    return 0;
}

static int recover(struct nvmi_pool *pool)
{
    used = 0;
    return nvmi_direct_recover(pool, roll_back);
}

static int back(struct nvmi_pool *pool, uint64_t from, uint64_t to)
{
    uint64_t all = slots_for(pool, pool->header.page_count);
    uint64_t first = slots_for(pool, from), more = slots_for(pool, to) - first;
    struct nvmi_range r[NVMI_MAX_RANGES];
    unsigned count = nvmi_arena_ranges(pool, from, to, r);
    int error = 0;
    for (unsigned i = 0; i < count && !error; i++)
        error = nvmi_back_area(pool, r[i].offset / NVM_LINE_BYTES * sizeof(*words),
                               r[i].size_bytes / NVM_LINE_BYTES * sizeof(*words));
    for (unsigned half = 0; half < 2 && !error && more; half++)
        error =
            nvmi_back_area(pool, slots_offset(pool) + (half * all + first) * sizeof(struct slot),
                           more * sizeof(struct slot));
    return error;
}

static uint64_t area_bytes(uint64_t pool_bytes)
{
    return pool_bytes / 4;
}

static uint64_t arena_limit(uint64_t area)
{
    return area * 4; /* half of the area for the words */
}

const struct nvm_engine nvmi_engine_versions = {
    .name = "versions",
    .number = 4,
    .promise_process = "an epoch survives a crash of the process",
    .promise_power = "an epoch survives a crash of the process and power loss",
    .durable = true,
    .atomic = true,
    .goes_back = true,
    .side_by_side = true,
    .grows = true,
    .can_replicate = true,
    .direct = true,
    .hooked = true,
    .epoch_ms = 64,
    .area_bytes = area_bytes,
    .arena_limit = arena_limit,
    .back = back,
    .examine = examine,
    .view = view,
    .recover = recover,
    .save = save,
    .commit = commit,
    .presses = presses,
    .wait = nvmi_nothing,
};
