/*===- redo.c - working copy in DRAM, log of line images --------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The program writes to a private copy. A commit appends one record with the
 * images of the announced lines to the log, and one fence. After it the log is
 * brought home in slices (home.c); when all of it is home it starts over. (The idea: the
 * hybrid DRAM and NVMM variant of ResPCT.)
 *
 * The first commit of a pool is not logged: nothing is lost by a crash in the
 * middle, so lines go straight home and the state turns valid afterwards.
 *
 * A section too large for the log writes the lines of pages that were free at
 * the last commit straight home before its record: no earlier state depends on
 * them.
 *
 * While a snapshot child looks at the home copy, nothing is brought home. When
 * the log is full the commit waits for the child.
 */
#include "base/crc32c.h"
#include "base/engine.h"
#include "base/error.h"
#include "base/event.h"
#include "base/pool.h"
#include "engines/common.h"
#include "engines/home.h"
#include "medium/backing.h"
#include "medium/control.h"
#include "medium/log.h"
#include "medium/log_limit.h"
#include "medium/persist.h"
#include "medium/snapshots.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define SYNC_AFTER_NS 100000000ull
#define POLL_NS 1000000L
#define FIRST_LOOK_BYTES (16ull << 20)
/* A short log is better: it stays in the processor's cache. But where each round of it costs waits
 * for a disk, which then writes all that was brought home, a longer one is. */
#define SHORT_LOG_BYTES (1ull << 20)
#define DISK_LOG_BYTES (16ull << 20)
/* So often four times as much is brought home; it takes some ten microseconds. */
#define SLICE_STEP_BYTES (16u << 10)

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void wait_for_children(struct nvmi_pool *pool)
{
    struct timespec pause = {0, POLL_NS};
    if (nvmi_snapshots_alive())
        nvmi_note("pool %s: the log is full; waiting for a forked child that reads a snapshot",
                  pool->path);
    while (nvmi_snapshots_alive())
        nanosleep(&pause, NULL);
}

/* Where the log should end: from half of it on it is brought home in slices. */
static uint64_t soft_limit(const struct nvmi_pool *pool)
{
    uint64_t limit = pool->header.log_soft_bytes, part = pool->log_backed_bytes / 3;
    if (nvmi_waits_for_disk(pool))
        return limit < DISK_LOG_BYTES ? limit : DISK_LOG_BYTES;
    if (limit > part)
        limit = part;
    return limit < SHORT_LOG_BYTES ? limit : SHORT_LOG_BYTES;
}

static void bring_home(struct nvmi_pool *pool, uint64_t size_bytes)
{
    uint64_t end = nvmi_redo.head + size_bytes, limit = soft_limit(pool);
    if (!nvmi_redo.head || end <= limit / 2 || end < nvmi_redo.next_slice)
        return;
    nvmi_redo.next_slice = end + SLICE_STEP_BYTES;
    if (nvmi_snapshots_alive())
        return;
    /* Four times what came since, so that it ends; after a long snapshot the log
     * is far beyond the limit: still in slices. */
    bool all_home = redo_apply_some(pool, 4 * (size_bytes + SLICE_STEP_BYTES));
    if (nvmi_waits_for_disk(pool) ? end > limit : all_home)
        redo_checkpoint(pool);
}

/* Gives back the size of the record that is to be written. */
static uint64_t make_room(struct nvmi_pool *pool, struct nvmi_changes *changes)
{
    uint64_t size_bytes = nvmi_record_bytes(changes->lines.count, changes->zero_count);
    bring_home(pool, size_bytes);
    if (nvmi_redo.head + size_bytes <= pool->log_backed_bytes)
        return size_bytes;
    /* Rather a longer log than to wait for a child, or for the disk. */
    bool longer = nvmi_snapshots_alive() ||
                  (nvmi_waits_for_disk(pool) && nvmi_redo.head + size_bytes <= soft_limit(pool));
    if (longer && nvmi_back_log(pool, nvmi_redo.head + size_bytes))
        return size_bytes;
    wait_for_children(pool);
    if (nvmi_redo.head)
        redo_checkpoint(pool);
    if (!nvmi_back_log(pool, size_bytes)) {
        redo_write_new_pages(pool, changes);
        size_bytes = nvmi_record_bytes(changes->lines.count, changes->zero_count);
    }
    if (!nvmi_back_log(pool, size_bytes))
        nvmi_die(NVMI_EXIT_FULL, "log-full",
                 "%s: one section changed %zu lines, more than the log of %llu bytes holds%s",
                 pool->path, changes->lines.count, (unsigned long long)pool->log_backed_bytes,
                 nvmi_log_full_reason(pool));
    return size_bytes;
}

/* The images of the lines, and their CRC. */
static uint32_t write_images(struct nvmi_pool *pool, const struct nvmi_changes *changes,
                             unsigned char *to, uint32_t crc)
{
    size_t count = changes->lines.count;
    for (size_t i = 0; i < count; i += NVMI_CHUNK_LINES) {
        size_t n = count - i < NVMI_CHUNK_LINES ? count - i : NVMI_CHUNK_LINES;
        if (changes->images) {
            const unsigned char *image = changes->images + i * NVM_LINE_BYTES;
            crc = nvmi_crc32c_lines(crc, image, n);
            nvmi_persist->copy(to, image, n * NVM_LINE_BYTES);
        } else {
            crc = nvmi_persist->gather(crc, to, pool->heap, changes->lines.number + i, n);
        }
        to += n * NVM_LINE_BYTES;
        nvmi_event();
    }
    return crc;
}

static void write_record(struct nvmi_pool *pool, const struct nvmi_changes *changes,
                         uint64_t size_bytes)
{
    struct nvm_disk_record head = {
        .magic = NVM_RECORD_MAGIC,
        .epoch = pool->epoch + 1,
        .size_bytes = size_bytes,
        .lap = pool->slot.sequence,
        .synced_epoch = nvmi_waits_for_disk(pool)
                            ? __atomic_load_n(&nvmi_redo.synced_epoch, __ATOMIC_ACQUIRE)
                            : UINT64_MAX,
        .line_count = (uint32_t)changes->lines.count,
        .zero_count = (uint32_t)changes->zero_count,
    };
    memcpy(&head.pool_tag, pool->header.uuid, sizeof(head.pool_tag));
    unsigned char *to = pool->log + nvmi_redo.head, *at = to + sizeof(head);
    uint32_t crc = nvmi_record_crc(&head, changes->lines.number, changes->zero);
    /* Both lists have room after them: the parts are filled up to whole lines. */
    uint64_t part = nvmi_line_up(head.line_count * sizeof(uint32_t));
    nvmi_persist->copy(at, changes->lines.number, part);
    at += part;
    part = nvmi_line_up(head.zero_count * sizeof(struct nvm_disk_zero));
    if (part)
        nvmi_persist->copy(at, changes->zero, part);
    at += part;
    nvmi_event();
    head.crc = write_images(pool, changes, at, crc);
    nvmi_persist->copy(to, &head, sizeof(head));
    nvmi_event();
    nvmi_persist->fence();
    nvmi_event();
}

static void commit_first(struct nvmi_pool *pool, const struct nvmi_changes *changes)
{
    nvmi_commit_first(pool, changes);
    nvmi_redo.base_epoch = pool->epoch + 1;
    __atomic_store_n(&nvmi_redo.synced_epoch, pool->epoch, __ATOMIC_RELEASE);
}

static void commit(struct nvmi_pool *pool, struct nvmi_changes *changes)
{
    if (pool->slot.state != NVM_STATE_VALID) {
        commit_first(pool, changes);
        return;
    }
    uint64_t size_bytes = make_room(pool, changes);
    write_record(pool, changes, size_bytes);
    __atomic_store_n(&nvmi_redo.head, nvmi_redo.head + size_bytes, __ATOMIC_RELAXED);
    __atomic_store_n(&pool->epoch, pool->epoch + 1, __ATOMIC_RELEASE);
    NVMI_COUNT(lines_logged, changes->lines.count);
    NVMI_COUNT(log_bytes, size_bytes);
    if (!nvmi_waits_for_disk(pool))
        return;
    uint64_t since = __atomic_load_n(&nvmi_redo.unsynced_since_ns, __ATOMIC_RELAXED);
    uint64_t now = now_ns();
    if (since == 0)
        __atomic_store_n(&nvmi_redo.unsynced_since_ns, now, __ATOMIC_RELAXED);
    else if (now - since >= SYNC_AFTER_NS)
        redo_wait(pool);
}

/* The newer control slot may be torn: then the older one counts, and the log is
 * still that of its lap. But if the log has been started over since, the newer
 * slot was whole once and is damaged. */
static bool control_is_stale(const struct nvmi_log *log)
{
    struct nvmi_log later = *log;
    const struct nvm_disk_record *record = (const void *)log->base;
    later.lap = log->lap + 1;
    if (log->size_bytes < sizeof(*record))
        return false;
    return nvmi_log_record(&later, 0, record->epoch) != NULL;
}

static struct nvmi_log pool_log(const struct nvmi_pool *pool)
{
    const struct nvm_disk_header *h = &pool->header;
    struct nvmi_log log = {.base = pool->log,
                           .data_bytes = pool->log_data_bytes,
                           .size_bytes = h->log_size_bytes,
                           .lap = pool->control_read.sequence,
                           .arena_size_bytes = h->arena_size_bytes};
    memcpy(&log.pool_tag, h->uuid, sizeof(log.pool_tag));
    return log;
}

/* Looks at more of the log until what was looked at shows the end. */
static void scan(struct nvmi_pool *pool)
{
    for (uint64_t look = FIRST_LOOK_BYTES;; look *= 4) {
        pool->log_data_bytes = nvmi_area_data_bytes(pool, 0, look);
        struct nvmi_log log = pool_log(pool);
        pool->log_end = nvmi_log_scan(&log, pool->control_read.base_epoch);
        if (look >= pool->header.log_size_bytes ||
            look >= pool->log_end.offset + NVMI_LOG_LOOK_AHEAD_BYTES)
            return;
    }
}

static int examine(struct nvmi_pool *pool)
{
    pool->log_data_bytes = nvmi_area_data_bytes(pool, 0, FIRST_LOOK_BYTES);
    struct nvmi_log log = pool_log(pool);
    pool->log_end = (struct nvmi_log_end){0, pool->control_read.base_epoch, false};
    if (control_is_stale(&log))
        return nvmi_fail(EINVAL, "pool-damaged", "%s: the control record is damaged", pool->path);
    if (pool->restored)
        scan(pool);
    pool->epoch = pool->log_end.next_epoch - 1;
    if (pool->log_end.damaged)
        return nvmi_fail(EINVAL, "pool-damaged", "%s: the log's record of commit %llu is damaged",
                         pool->path, (unsigned long long)pool->log_end.next_epoch);
    return 0;
}

static int view(struct nvmi_pool *pool, uint64_t limit_bytes)
{
    struct nvmi_log log = pool_log(pool);
    nvmi_log_replay(&log, pool->log_end.offset, pool->heap, limit_bytes);
    return 0;
}

static int recover(struct nvmi_pool *pool)
{
    nvmi_redo =
        (struct redo){.base_epoch = pool->control_read.base_epoch, .head = pool->log_end.offset};
    pool->slot = pool->control_read;
    if (pool->slot.state == NVM_STATE_WRITING)
        return nvmi_wipe(pool);
    if (pool->slot.state != NVM_STATE_VALID)
        return 0;
    if (nvmi_snapshots_alive()) /* children of the process before look at the home copy */
        return view(pool, UINT64_MAX);
    /* Also when there is nothing to bring home: with a new lap no record after a
     * torn one can ever count again. synced_epoch is 0: the page cache may hold
     * what the disk does not. */
    redo_checkpoint(pool);
    /* Equal to the home copy now. */
    madvise(pool->heap, pool->header.page_offset, MADV_DONTNEED);
    return 0;
}

static void settle(struct nvmi_pool *pool)
{
    if (pool->slot.state == NVM_STATE_VALID && nvmi_redo.head && !nvmi_snapshots_alive())
        redo_checkpoint(pool);
    redo_wait(pool);
}

static uint64_t area_bytes(uint64_t pool_bytes)
{
    return nvmi_log_soft_bytes(pool_bytes) + pool_bytes / 8;
}

const struct nvm_engine nvmi_engine_redo = {
    .name = "redo",
    .number = 0,
    .promise_process = "a commit survives a crash of the process",
    .promise_power = "a commit survives a crash of the process and power loss",
    .durable = true,
    .atomic = true,
    .goes_back = true,
    .side_by_side = true,
    .grows = true,
    .power_on_disk = true,
    .can_replicate = true,
    .holds_replica = true,
    .second_thread = true,
    .keeps_snapshot = true,
    .hooked = true,
    .area_bytes = area_bytes,
    .back = nvmi_back_log_share,
    .examine = examine,
    .view = view,
    .recover = recover,
    .commit = commit,
    .wait = redo_wait,
    .settle = settle,
};
