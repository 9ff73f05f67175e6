/*===- redo.c - working copy in DRAM, log of line images --------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The program writes to a private copy. A commit appends one record with the
 * images of the announced lines to the log, and one fence. When the log would pass its soft limit
 *it is applied to the home copy and starts over. (The idea: the hybrid DRAM and NVMM variant of
 *ResPCT.)
 *
 * The first commit of a pool is not logged: nothing is lost by a crash in the
 * middle, so lines go straight home and the state turns valid afterwards.
 *
 * A section too large for the log writes the lines of pages that were free at the
 * last commit straight home before its record: no earlier state depends on them.
 *
 * While a snapshot child looks at the home copy the log is not applied. When it
 * is full the commit waits for the child.
 */
#define _GNU_SOURCE
#include "crc32c.h"
#include "engine.h"
#include "heap.h"
#include "log.h"
#include "persist.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define CHUNK_LINES 64u
#define SYNC_AFTER_NS 100000000ull
#define POLL_NS 1000000L
/* Unless each round of the log costs waits for a disk, a short one is better: it
 * stays in the processor's cache, and bringing it home takes about a millisecond. */
#define SHORT_LOG_BYTES (4ull << 20)

static struct {
    uint64_t head;       /* where the next record goes */
    uint64_t base_epoch; /* of the record at the start of the log */
    struct nvm_disk_control control;
    uint64_t
        oldest_unsynced_ns; /* when the first record after the last sync was written; 0: none */
    uint64_t synced_epoch;  /* atomic; commits up to this one are on the medium */
} redo;
static pthread_mutex_t sync_lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static bool waits_for_disk(const struct nvmi_pool *pool)
{
    return pool->power && !pool->dax;
}

static void sync_medium(struct nvmi_pool *pool)
{
    int error = nvmi_persist->sync();
    /* Afterwards the kernel may have dropped what it could not write. */
    if (error)
        nvmi_die(NVMI_EXIT_FULL, "pool-io", "%s: writing to the medium failed: %s", pool->path,
                 strerror(error));
    __atomic_add_fetch(&pool->stats.media_waits, 1, __ATOMIC_RELAXED);
}

static void write_control(struct nvmi_pool *pool, uint64_t state, uint64_t base_epoch)
{
    struct nvm_disk_control *c = &redo.control;
    c->sequence++;
    c->state = state;
    c->base_epoch = base_epoch;
    c->crc = nvmi_control_crc(c);
    nvmi_persist->copy(pool->control + c->sequence % 2 * NVM_LINE_BYTES, c, sizeof(*c));
    nvmi_persist->fence();
    nvmi_event();
    if (waits_for_disk(pool))
        sync_medium(pool);
}

static void wait_for_medium(struct nvmi_pool *pool)
{
    if (!waits_for_disk(pool))
        return;
    uint64_t wanted = __atomic_load_n(&pool->epoch, __ATOMIC_ACQUIRE);
    if (__atomic_load_n(&redo.synced_epoch, __ATOMIC_ACQUIRE) >= wanted)
        return;
    pthread_mutex_lock(&sync_lock);
    /* Another thread's wait may have covered this one's commits. */
    if (redo.synced_epoch < wanted) {
        wanted = __atomic_load_n(&pool->epoch, __ATOMIC_ACQUIRE);
        __atomic_store_n(&redo.oldest_unsynced_ns, 0, __ATOMIC_RELAXED);
        sync_medium(pool);
        __atomic_store_n(&redo.synced_epoch, wanted, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&sync_lock);
}

static void apply_record(struct nvmi_pool *pool, const struct nvm_disk_record *record)
{
    const uint32_t *numbers = nvmi_record_numbers(record);
    const struct nvm_disk_zero *zeros = nvmi_record_zeros(record);
    const unsigned char *image = nvmi_record_images(record);
    for (uint32_t i = 0; i < record->zero_count; i++)
        nvmi_persist->zero(pool->home + zeros[i].offset, zeros[i].size_bytes);
    for (uint32_t i = 0; i < record->line_count; i++, image += NVM_LINE_BYTES) {
        nvmi_persist->copy(pool->home + (uint64_t)numbers[i] * NVM_LINE_BYTES, image,
                           NVM_LINE_BYTES);
        if (i % CHUNK_LINES == 0)
            nvmi_event();
    }
}

/* Brings the log home and starts it over. No snapshot child may be alive. */
static void checkpoint(struct nvmi_pool *pool)
{
    wait_for_medium(pool); /* the log must be there before the home copy changes */
    nvmi_event();
    for (uint64_t at = 0; at < redo.head;) {
        const struct nvm_disk_record *record = (const void *)(pool->log + at);
        apply_record(pool, record);
        at += record->size_bytes;
    }
    nvmi_persist->fence();
    nvmi_event();
    if (waits_for_disk(pool))
        sync_medium(pool);
    write_control(pool, NVM_STATE_VALID, pool->epoch + 1);
    redo.base_epoch = pool->epoch + 1;
    redo.head = 0;
    pool->stats.checkpoints++;
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

static void write_home(struct nvmi_pool *pool, uint32_t line)
{
    uint64_t offset = (uint64_t)line * NVM_LINE_BYTES;
    nvmi_persist->copy(pool->home + offset, pool->heap + offset, NVM_LINE_BYTES);
}

/* See the top of the file. What is left in the changes is to be logged. */
static void write_new_pages(struct nvmi_pool *pool)
{
    struct nvmi_changes *changes = &pool->changes;
    struct nvmi_lines *lines = &changes->lines;
    /* These pages stop being zero, whether or not this commit comes about. */
    redo.control.dirty_pages = nvmi_virgin_page();
    nvmi_heap.dirty_pages = (uint32_t)redo.control.dirty_pages;
    write_control(pool, NVM_STATE_VALID, redo.base_epoch);
    for (size_t i = 0; i < changes->zero_count; i++) /* only new pages are zeroed so */
        nvmi_persist->zero(pool->home + changes->zero[i].offset, changes->zero[i].size_bytes);
    changes->zero_count = 0;
    size_t kept = 0;
    for (size_t i = 0; i < lines->count; i++) {
        if (!nvmi_line_is_new(lines->number[i]))
            lines->number[kept++] = lines->number[i];
        else
            write_home(pool, lines->number[i]);
        if (i % CHUNK_LINES == 0)
            nvmi_event();
    }
    lines->count = kept;
    nvmi_persist->fence();
    nvmi_event();
    if (waits_for_disk(pool))
        sync_medium(pool);
}

static uint64_t soft_limit(const struct nvmi_pool *pool)
{
    uint64_t limit = pool->header.log_soft_bytes;
    return waits_for_disk(pool) || limit < SHORT_LOG_BYTES ? limit : SHORT_LOG_BYTES;
}

/* Gives back the size of the record that is to be written. */
static uint64_t make_room(struct nvmi_pool *pool)
{
    const struct nvm_disk_header *h = &pool->header;
    const struct nvmi_changes *changes = &pool->changes;
    uint64_t size_bytes = nvmi_record_bytes(changes->lines.count, changes->zero_count);
    if (redo.head && redo.head + size_bytes > soft_limit(pool) && !nvmi_snapshots_alive())
        checkpoint(pool);
    if (redo.head + size_bytes <= h->log_size_bytes)
        return size_bytes;
    wait_for_children(pool);
    if (redo.head)
        checkpoint(pool);
    if (size_bytes > h->log_size_bytes) {
        write_new_pages(pool);
        size_bytes = nvmi_record_bytes(changes->lines.count, changes->zero_count);
    }
    if (size_bytes > h->log_size_bytes)
        nvmi_die(NVMI_EXIT_FULL, "log-full",
                 "%s: one section changed %zu lines, more than the log of %llu bytes holds",
                 pool->path, changes->lines.count, (unsigned long long)h->log_size_bytes);
    return size_bytes;
}

static void write_record(struct nvmi_pool *pool, uint64_t size_bytes)
{
    struct nvmi_changes *changes = &pool->changes;
    struct nvm_disk_record head = {
        .magic = NVM_RECORD_MAGIC,
        .epoch = pool->epoch + 1,
        .size_bytes = size_bytes,
        .lap = redo.control.sequence,
        .synced_epoch = waits_for_disk(pool) ? __atomic_load_n(&redo.synced_epoch, __ATOMIC_ACQUIRE)
                                             : UINT64_MAX,
        .line_count = (uint32_t)changes->lines.count,
        .zero_count = (uint32_t)changes->zero_count,
    };
    memcpy(&head.pool_tag, pool->header.uuid, sizeof(head.pool_tag));
    unsigned char *to = pool->log + redo.head, *at = to + sizeof(head);
    uint32_t crc = nvmi_record_crc(&head, changes->lines.number, changes->zero);
    /* Both lists have room behind them: the parts are filled up to whole lines. */
    uint64_t part = nvmi_line_up(head.line_count * sizeof(uint32_t));
    nvmi_persist->copy(at, changes->lines.number, part);
    at += part;
    part = nvmi_line_up(head.zero_count * sizeof(struct nvm_disk_zero));
    nvmi_persist->copy(at, changes->zero, part);
    at += part;
    nvmi_event();
    for (size_t i = 0; i < head.line_count; i += CHUNK_LINES) {
        size_t n = head.line_count - i < CHUNK_LINES ? head.line_count - i : CHUNK_LINES;
        crc = nvmi_persist->gather(crc, at, pool->heap, changes->lines.number + i, n);
        at += n * NVM_LINE_BYTES;
        nvmi_event();
    }
    head.crc = crc;
    nvmi_persist->copy(to, &head, sizeof(head));
    nvmi_event();
    nvmi_persist->fence();
    nvmi_event();
}

/* Straight home; see the top of the file. */
static void commit_first(struct nvmi_pool *pool)
{
    const struct nvmi_lines *lines = &pool->changes.lines;
    write_control(pool, NVM_STATE_WRITING, pool->epoch + 1);
    for (size_t i = 0; i < lines->count; i++) {
        write_home(pool, lines->number[i]);
        if (i % CHUNK_LINES == 0)
            nvmi_event();
    }
    nvmi_persist->fence();
    nvmi_event();
    if (waits_for_disk(pool))
        sync_medium(pool);
    __atomic_store_n(&pool->epoch, pool->epoch + 1, __ATOMIC_RELEASE);
    redo.base_epoch = pool->epoch + 1;
    /* Twice: from now on either slot alone says that there is something to lose. */
    write_control(pool, NVM_STATE_VALID, redo.base_epoch);
    write_control(pool, NVM_STATE_VALID, redo.base_epoch);
    __atomic_store_n(&redo.synced_epoch, pool->epoch, __ATOMIC_RELEASE);
    pool->in_place = false;
}

static void commit(struct nvmi_pool *pool)
{
    const struct nvmi_changes *changes = &pool->changes;
    if (redo.control.state != NVM_STATE_VALID) {
        commit_first(pool);
        return;
    }
    uint64_t size_bytes = make_room(pool);
    write_record(pool, size_bytes);
    redo.head += size_bytes;
    __atomic_store_n(&pool->epoch, pool->epoch + 1, __ATOMIC_RELEASE);
    pool->stats.lines_logged += changes->lines.count;
    pool->stats.log_bytes += size_bytes;
    if (!waits_for_disk(pool))
        return;
    uint64_t since = __atomic_load_n(&redo.oldest_unsynced_ns, __ATOMIC_RELAXED), now = now_ns();
    if (since == 0)
        __atomic_store_n(&redo.oldest_unsynced_ns, now, __ATOMIC_RELAXED);
    else if (now - since >= SYNC_AFTER_NS)
        wait_for_medium(pool);
}

/* Half an import lies in the arena: all zero again. Keeps the file's blocks. */
static int wipe(struct nvmi_pool *pool)
{
    for (uint32_t i = 0; i < pool->header.segment_count; i++) {
        off_t offset = (off_t)pool->header.segment[i].file_offset;
        off_t size_bytes = (off_t)pool->header.segment[i].size_bytes;
        if (fallocate(pool->fd, FALLOC_FL_ZERO_RANGE, offset, size_bytes) == 0)
            continue;
        if (errno != EOPNOTSUPP)
            return nvmi_fail(errno, "pool-io", "%s: cannot be made afresh: %s", pool->path,
                             strerror(errno));
        nvmi_persist->zero(pool->home, pool->header.arena_size_bytes);
        break;
    }
    nvmi_persist->fence();
    if (waits_for_disk(pool))
        sync_medium(pool);
    write_control(pool, NVM_STATE_IMPORTING, redo.base_epoch);
    return 0;
}

static int recover(struct nvmi_pool *pool)
{
    memset(&redo, 0, sizeof(redo));
    redo.control = pool->control_read;
    redo.base_epoch = redo.control.base_epoch;
    redo.head = pool->log_end.offset;
    redo.synced_epoch = 0; /* the page cache may hold what the disk does not */
    if (redo.control.state == NVM_STATE_WRITING)
        return wipe(pool);
    if (redo.control.state != NVM_STATE_VALID)
        return 0;
    if (nvmi_snapshots_alive()) {
        /* Children of the process before still look at the home copy. */
        struct nvmi_log log = nvmi_pool_log();
        nvmi_log_replay(&log, redo.head, pool->heap, UINT64_MAX);
        return 0;
    }
    /* Also when there is nothing to bring home: with a new lap no record behind a
     * torn one can ever count again. */
    checkpoint(pool);
    madvise(pool->heap, pool->header.page_offset, MADV_DONTNEED); /* equal to the home copy now */
    return 0;
}

static void settle(struct nvmi_pool *pool)
{
    if (redo.control.state == NVM_STATE_VALID && redo.head && !nvmi_snapshots_alive())
        checkpoint(pool);
    wait_for_medium(pool);
}

const struct nvm_engine nvmi_engine_redo = {
    .name = "redo",
    .promise_process = "a commit survives a crash of the process",
    .promise_power = "a commit survives a crash of the process and power loss",
    .durable = true,
    .recover = recover,
    .commit = commit,
    .wait = wait_for_medium,
    .settle = settle,
};
