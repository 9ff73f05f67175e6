/*===- undo.c - stores in place, log of what was there before ---------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The lines of one announcement make one or more entries, and one fence. So a
 * hook for a whole object costs little more than one for a word in it.
 *
 * What has only to outlive the process needs neither fence nor CRC: a shared mapping
 * keeps the stores in the program's order. There lines are added to the last
 * entry, the image first and the count last. (Such entries are called open here.)
 */
#include "base/crc32c.h"
#include "base/engine.h"
#include "base/error.h"
#include "base/event.h"
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

/* The same, of which lines are added one by one. `count` and `check`, a sum of all but these
 * two that any flipped bit changes, are stored at once. */
struct open_entry {
    uint64_t epoch;
    uint32_t count, check;
    uint32_t pool_tag; /* where an entry has its checksum, which hardly is that */
    uint32_t number[ENTRY_LINES];
};
_Static_assert(sizeof(struct open_entry) == sizeof(struct entry), "they stand in one log");

/* How far after an unreadable entry a later one is looked for. */
#define LOOK_AHEAD_BYTES (1u << 20)
#define FIRST_LOOK_BYTES (2 * LOOK_AHEAD_BYTES)

static uint64_t head;            /* where the next entry goes */
static struct open_entry *added; /* the last one; NULL: the next line makes one */

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

static void make_room(struct nvmi_pool *pool, uint64_t size_bytes)
{
    if (!nvmi_back_log(pool, head + size_bytes))
        nvmi_die(NVMI_EXIT_FULL, "log-full",
                 "%s: one section changed more than the log of %llu bytes holds%s", pool->path,
                 (unsigned long long)pool->log_backed_bytes, nvmi_log_full_reason(pool));
}

static void append(struct nvmi_pool *pool, const uint32_t *number, uint32_t count)
{
    uint64_t size_bytes = (1 + (uint64_t)count) * NVM_LINE_BYTES;
    make_room(pool, size_bytes);
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

/* Odd factors: no change of one bit is lost, and none of a crash has to be found. */
#define FACTOR 0x9e3779b97f4a7c15u

static uint32_t first_check(const struct open_entry *e)
{
    return (uint32_t)(e->epoch * FACTOR >> 32) ^ e->pool_tag;
}

static uint32_t next_check(uint32_t check, uint32_t number, const void *image)
{
    uint64_t word[NVM_LINE_BYTES / sizeof(uint64_t)],
        sum = (check ^ (uint64_t)number << 32) * FACTOR;
    memcpy(word, image, sizeof(word));
    for (unsigned i = 0; i < NVM_LINE_BYTES / sizeof(*word); i++)
        sum += word[i] * (FACTOR + 2 * i);
    return (uint32_t)(sum >> 32) ^ (uint32_t)sum;
}

static struct open_entry *begin_entry(struct nvmi_pool *pool)
{
    make_room(pool, (1 + (uint64_t)ENTRY_LINES) * NVM_LINE_BYTES);
    struct open_entry *e = (void *)(pool->log + head);
    struct open_entry empty = {.epoch = pool->epoch + 1, .pool_tag = tag_of(pool)};
    empty.check = first_check(&empty);
    __atomic_store_n(&e->epoch, 0, __ATOMIC_RELEASE); /* what stood there ends with this */
    memcpy(&e->count, &empty.count, sizeof(empty) - sizeof(empty.epoch));
    __atomic_store_n(&e->epoch, empty.epoch, __ATOMIC_RELEASE);
    head += sizeof(*e);
    return e;
}

static void add(struct nvmi_pool *pool, uint32_t number)
{
    if (!added || added->count == ENTRY_LINES)
        added = begin_entry(pool);
    struct open_entry *e = added;
    union {
        struct {
            uint32_t count, check;
        } part;
        uint64_t whole;
    } next;
    const unsigned char *line = pool->heap + (uint64_t)number * NVM_LINE_BYTES;
    memcpy(pool->log + head, line, NVM_LINE_BYTES);
    next.part.count = e->count + 1;
    next.part.check = next_check(e->check, number, line);
    e->number[e->count] = number;
    nvmi_event();
    __atomic_store_n((uint64_t *)(void *)&e->count, next.whole, __ATOMIC_RELEASE);
    head += NVM_LINE_BYTES;
    nvmi_saved(pool, head / NVM_LINE_BYTES);
    NVMI_COUNT(lines_logged, 1);
    NVMI_COUNT(log_bytes, NVM_LINE_BYTES);
}

static void save_in_order(struct nvmi_pool *pool, const uint32_t *number, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (nvmi_direct_must_save(pool, number[i]))
            add(pool, number[i]);
}

static void save(struct nvmi_pool *pool, const uint32_t *number, size_t count)
{
    if (nvmi_persist == &nvmi_persist_cache) {
        save_in_order(pool, number, count);
        return;
    }
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
    added = NULL;
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

static bool fits(const struct nvmi_pool *pool, uint64_t offset, const struct saved *s)
{
    if (s->count == 0 || s->count > ENTRY_LINES ||
        bytes_of(s) > pool->header.log_size_bytes - offset)
        return false;
    nvmi_media_was_read(bytes_of(s));
    for (uint32_t i = 0; i < s->count; i++)
        if (s->number[i] >= pool->header.arena_size_bytes / NVM_LINE_BYTES)
            return false;
    return true;
}

static bool check_is_right(const struct open_entry *e)
{
    uint32_t check = first_check(e);
    for (uint32_t i = 0; i < e->count; i++)
        check = next_check(check, e->number[i], e + 1 + i);
    return check == e->check;
}

static bool entry_at(const struct nvmi_pool *pool, uint64_t offset, uint64_t epoch,
                     struct saved *out)
{
    const struct entry *e = (const void *)(pool->log + offset);
    const struct open_entry *o = (const void *)e;
    const unsigned char *image = (const unsigned char *)(e + 1);
    if (offset + sizeof(*e) > pool->log_data_bytes || e->epoch != epoch)
        return false;
    if (o->pool_tag == tag_of(pool)) {
        *out = (struct saved){o->count, o->number, image};
        if (fits(pool, offset, out) && check_is_right(o))
            return true;
    }
    *out = (struct saved){e->count, e->number, image};
    return e->pool_tag == tag_of(pool) && fits(pool, offset, out) &&
           nvmi_crc32c_lines(head_crc(e), image, e->count) == e->crc;
}

/* The entries before the end are whole: each was fenced before the next. */
static uint64_t end_of_log(const struct nvmi_pool *pool, uint64_t epoch)
{
    uint64_t at = 0;
    struct saved saved;
    while (entry_at(pool, at, epoch, &saved))
        at += bytes_of(&saved);
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
    struct saved saved;
    if (entry_at(pool, 0, epoch + 1, &saved))
        return nvmi_fail(EINVAL, "pool-damaged", "%s: the control record is damaged", pool->path);
    uint64_t at = find_end(pool, epoch),
             room = at < pool->log_data_bytes ? pool->log_data_bytes - at : 0;
    if (at / NVM_LINE_BYTES < nvmi_saved_in(pool, epoch))
        return nvmi_fail(EINVAL, "pool-damaged", "%s: the undo log is damaged", pool->path);
    uint64_t group = NVMI_SAVE_LINES / ENTRY_LINES * (ENTRY_LINES + 1) * NVM_LINE_BYTES + 1024;
    for (uint64_t i = group; i < room && i < LOOK_AHEAD_BYTES; i += NVM_LINE_BYTES)
        if (entry_at(pool, at + i, epoch, &saved))
            return nvmi_fail(EINVAL, "pool-damaged", "%s: the undo log is damaged", pool->path);
    return 0;
}

static void roll_back(struct nvmi_pool *pool, nvmi_put *put, uint64_t limit_bytes)
{
    uint64_t epoch = pool->control_read.base_epoch;
    struct saved saved;
    for (uint64_t at = 0; entry_at(pool, at, epoch, &saved); at += bytes_of(&saved))
        for (uint32_t i = 0; i < saved.count; i++)
            if ((uint64_t)saved.number[i] * NVM_LINE_BYTES < limit_bytes)
                put(pool, saved.number[i], saved.image + (uint64_t)i * NVM_LINE_BYTES);
}

static int view(struct nvmi_pool *pool, uint64_t limit_bytes)
{
    roll_back(pool, nvmi_put_view, limit_bytes);
    return 0;
}

static int recover(struct nvmi_pool *pool)
{
    head = 0;
    added = NULL;
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
