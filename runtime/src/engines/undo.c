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
 *
 * Each thread that stores beside others adds to a slice of its own (undo_log.h); the first slice
 * is for who has the engine lock, so it costs nothing to begin one.
 */
#include "base/engine.h"
#include "base/error.h"
#include "base/event.h"
#include "base/pool.h"
#include "engines/common.h"
#include "engines/direct.h"
#include "engines/saved.h"
#include "engines/undo_log.h"
#include "medium/backing.h"
#include "medium/persist.h"
#include "threads/side_by_side.h"
#include <string.h>

static struct nvmi_slice alone; /* of who has the engine lock */
static uint64_t slice_bytes;    /* of the open pool */
static uint64_t taken;          /* so many slices have been; under the lock, read by any */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* nothing is taken below it */

static void make_room(struct nvmi_pool *pool, uint64_t size_bytes)
{
    if (!nvmi_back_log(pool, size_bytes))
        nvmi_die(NVMI_EXIT_FULL, "log-full",
                 "%s: one section changed more than the log of %llu bytes holds%s", pool->path,
                 (unsigned long long)pool->log_backed_bytes, nvmi_log_full_reason(pool));
}

/* Nobody is given the next slice before this one is known on the medium; nor is it before what
 * the thread has left is whole. */
static void take_slice(struct nvmi_pool *pool, struct nvmi_slice *s)
{
    if (s->whole != s->at)
        nvmi_persist->fence();
    pthread_mutex_lock(&lock);
    uint64_t start = taken * slice_bytes;
    make_room(pool, start + slice_bytes);
    struct nvmi_slice_head head = {.epoch = pool->epoch + 1,
                                   .pool_tag = nvmi_entry_tag(pool),
                                   .number = (uint32_t)taken,
                                   .left_whole = s->at};
    head.crc = nvmi_slice_head_crc(&head);
    nvmi_persist->copy(pool->log + start, &head, sizeof(head));
    nvmi_persist->fence();
    nvmi_event();
    __atomic_store_n(&taken, taken + 1, __ATOMIC_RELAXED); /* presses() looks */
    pthread_mutex_unlock(&lock);
    uint64_t at = start + sizeof(head);
    *s = (struct nvmi_slice){.at = at, .end = start + slice_bytes, .whole = at};
}

static inline struct nvmi_slice *slice_of_thread(void)
{
    return nvmi_beside ? &nvmi_beside->slice : &alone;
}

static inline void need(struct nvmi_pool *pool, struct nvmi_slice *s, uint64_t size_bytes)
{
    if (__builtin_expect(s->end - s->at < size_bytes, 0))
        take_slice(pool, s);
}

static uint64_t append(struct nvmi_pool *pool, struct nvmi_slice *s, const uint32_t *number,
                       uint32_t count)
{
    uint64_t size_bytes = (1 + (uint64_t)count) * NVM_LINE_BYTES;
    need(pool, s, size_bytes);
    struct nvmi_entry e = {
        .epoch = pool->epoch + 1, .pool_tag = nvmi_entry_tag(pool), .count = count};
    memcpy(e.number, number, count * sizeof(*number));
    unsigned char *to = pool->log + s->at;
    e.crc = nvmi_persist->gather(nvmi_entry_crc(&e), to + sizeof(e), pool->heap, number, count);
    nvmi_persist->copy(to, &e, sizeof(e));
    s->at += size_bytes;
    return size_bytes;
}

static void begin_entry(struct nvmi_pool *pool, struct nvmi_slice *s)
{
    need(pool, s, (1 + (uint64_t)NVMI_ENTRY_LINES) * NVM_LINE_BYTES);
    struct nvmi_open_entry *e = (void *)(pool->log + s->at);
    struct nvmi_open_entry empty = {.epoch = pool->epoch + 1, .pool_tag = nvmi_entry_tag(pool)};
    empty.check = nvmi_first_check(&empty);
    __atomic_store_n(&e->epoch, 0, __ATOMIC_RELEASE); /* what stood there ends with this */
    memcpy(&e->count, &empty.count, sizeof(empty) - sizeof(empty.epoch));
    __atomic_store_n(&e->epoch, empty.epoch, __ATOMIC_RELEASE);
    s->at += sizeof(*e);
    s->open = e;
}

static void add(struct nvmi_pool *pool, struct nvmi_slice *s, uint32_t number)
{
    if (!s->open || ((struct nvmi_open_entry *)s->open)->count == NVMI_ENTRY_LINES)
        begin_entry(pool, s);
    struct nvmi_open_entry *e = s->open;
    union {
        struct {
            uint32_t count, check;
        } part;
        uint64_t whole;
    } next;
    const unsigned char *line = pool->heap + (uint64_t)number * NVM_LINE_BYTES;
    memcpy(pool->log + s->at, line, NVM_LINE_BYTES);
    next.part.count = e->count + 1;
    next.part.check = nvmi_next_check(e->check, number, line);
    e->number[e->count] = number;
    nvmi_event();
    __atomic_store_n((uint64_t *)(void *)&e->count, next.whole, __ATOMIC_RELEASE);
    s->at += NVM_LINE_BYTES;
}

static void save_in_order(struct nvmi_pool *pool, const uint32_t *number, size_t count)
{
    struct nvmi_slice *s = slice_of_thread();
    uint64_t lines = 0;
    for (size_t i = 0; i < count; i++) {
        if (!nvmi_direct_must_save(pool, number[i]))
            continue;
        add(pool, s, number[i]);
        lines++;
    }
    if (lines)
        nvmi_lines_saved(pool, lines, lines * NVM_LINE_BYTES);
}

static void save(struct nvmi_pool *pool, const uint32_t *number, size_t count)
{
    if (nvmi_persist == &nvmi_persist_cache) {
        save_in_order(pool, number, count);
        return;
    }
    uint32_t old[NVMI_ENTRY_LINES], n = 0;
    uint64_t lines = 0, bytes = 0;
    struct nvmi_slice *s = slice_of_thread();
    for (size_t i = 0; i < count; i++) {
        if (!nvmi_direct_must_save(pool, number[i]))
            continue;
        old[n++] = number[i];
        lines++;
        if (n == NVMI_ENTRY_LINES) {
            bytes += append(pool, s, old, n);
            n = 0;
        }
    }
    if (n)
        bytes += append(pool, s, old, n);
    if (!lines)
        return;
    nvmi_persist->fence();
    s->whole = s->at;
    nvmi_lines_saved(pool, lines, bytes);
}

/* Nobody saves meanwhile. */
static void begin_epoch(void)
{
    nvmi_no_lines_saved();
    alone = (struct nvmi_slice){.end = slice_bytes}; /* it has blocks: backing.h */
    __atomic_store_n(&taken, 1, __ATOMIC_RELAXED);
    for (struct nvmi_beside *b = __atomic_load_n(&nvmi_all_beside, __ATOMIC_ACQUIRE); b;
         b = b->next)
        b->slice = (struct nvmi_slice){0};
}

static void commit(struct nvmi_pool *pool, struct nvmi_changes *changes)
{
    nvmi_direct_commit(pool, changes);
    begin_epoch();
}

/* The rest is for the sections that have not ended. */
static bool presses(const struct nvmi_pool *pool)
{
    return __atomic_load_n(&taken, __ATOMIC_RELAXED) * slice_bytes >
           pool->header.log_size_bytes / 2;
}

static int recover(struct nvmi_pool *pool)
{
    slice_bytes = nvmi_slice_bytes(pool);
    begin_epoch();
    return nvmi_direct_recover(pool, nvmi_undo_roll_back);
}

static int view(struct nvmi_pool *pool, uint64_t limit_bytes)
{
    nvmi_undo_roll_back(pool, nvmi_put_view, limit_bytes);
    return 0;
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
    .atomic = true,
    .goes_back = true,
    .side_by_side = true,
    .grows = true,
    .can_replicate = true,
    .direct = true,
    .hooked = true,
    .area_bytes = area_bytes,
    .back = nvmi_back_log_share,
    .examine = nvmi_undo_examine,
    .view = view,
    .recover = recover,
    .save = save,
    .saves_beside = true,
    .commit = commit,
    .presses = presses,
    .wait = nvmi_nothing,
};
