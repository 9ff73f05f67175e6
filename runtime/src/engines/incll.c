/*===- incll.c - a shadow line for each line, periodic checkpoints ----------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 *   area   tags: for each line of the arena, the epoch that changed it last
 *          shadows: for each line, what it held when that epoch began
 *
 * After ResPCT, whose undo copy shares the cache line with the datum and so needs
 * no flush. The layout of the program's objects is its own, so here the copy has
 * a place of its own: one flush and fence for each line and epoch, no log that
 * could fill up. Records with NVM_LINE_LOG_64() (nvmove/nvm.h) have room for the copy of
 * one word in their line; struct nvm_cell (nvmove/restart.h) has value, copy and epoch: no flush
 * at all.
 */
#include "base/crc32c.h"
#include "base/engine.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/pool.h"
#include "engines/common.h"
#include "engines/direct.h"
#include "engines/in_line.h"
#include "engines/saved.h"
#include "hook/hook.h"
#include "hook/logged_words.h"
#include "medium/backing.h"
#include "medium/control.h"
#include "medium/media.h"
#include "medium/persist.h"
#include "named/line_log_types.h"
#include <errno.h>
#include <string.h>

struct tag {
    uint64_t epoch;
    uint32_t crc;    /* of the shadow and the epoch */
    uint32_t before; /* so many lines, at least, had been saved in the epoch by earlier calls */
};
_Static_assert(sizeof(struct tag) == 16, "four to a line");
_Static_assert(NVMI_SAVE_LINES <= 64, "a bit for each");
#define TAGS_PER_LINE (NVM_LINE_BYTES / sizeof(struct tag))

/* For each MiB of the arena, more of a very large one: the epoch in which a line of it was
 * last saved, or a word of it copied in its line. Recovery looks at the tags of no other. `check`
 * is ~epoch: where it is not, the tags are looked at. They stand where the shadows of the twins
 * would, which are never saved. */
struct summary {
    uint64_t epoch, check;
};
#define LEAST_SUMMARY_SHIFT 20u

static struct tag *tags;
static unsigned char *shadows;
static struct summary *summaries;
static unsigned summary_shift;
/* For each summary the epoch for which it is on the medium. Atomic: who reads it there need not
 * wait for who wrote it. */
static uint64_t *summarized;
static uint64_t summarized_bytes;

static uint64_t summary_count(const struct nvmi_pool *pool)
{
    return (pool->header.arena_size_bytes >> summary_shift) + 1;
}

static void locate(const struct nvmi_pool *pool)
{
    uint64_t lines = pool->header.arena_size_bytes / NVM_LINE_BYTES;
    tags = (struct tag *)(void *)pool->log;
    shadows = pool->log + nvmi_line_up(lines * sizeof(*tags));
    summaries = (struct summary *)(void *)(shadows + pool->header.twin_offset);
    summary_shift = LEAST_SUMMARY_SHIFT;
    while (summary_shift < 40 &&
           summary_count(pool) * sizeof(*summaries) > pool->header.twin_size_bytes)
        summary_shift++;
}

/* Both halves in one line, so that one flush serves them. True: a fence must follow, and then
 * summary_is_there(). Two threads may do it at once. */
static bool summarize(uint64_t offset, uint64_t epoch)
{
    struct summary *s = &summaries[offset >> summary_shift];
    if (__atomic_load_n(&summarized[offset >> summary_shift], __ATOMIC_ACQUIRE) == epoch)
        return false;
    __atomic_store_n(&s->epoch, epoch, __ATOMIC_RELAXED);
    __atomic_store_n(&s->check, ~epoch, __ATOMIC_RELAXED);
    nvmi_persist->flush(s, sizeof(*s));
    return true;
}

static void summary_is_there(uint64_t offset, uint64_t epoch)
{
    __atomic_store_n(&summarized[offset >> summary_shift], epoch, __ATOMIC_RELEASE);
}

static uint32_t tag_crc(uint64_t epoch, const unsigned char *image)
{
    return nvmi_crc32c_lines(nvmi_crc32c(0, &epoch, sizeof(epoch)), image, 1);
}

/* What may be stored to from now on. `due`: a bit for each whose summary was written. */
static void saved(struct nvmi_pool *pool, const uint32_t *number, uint64_t lines, uint64_t due)
{
    for (; due; due &= due - 1)
        summary_is_there((uint64_t)number[__builtin_ctzll(due)] * NVM_LINE_BYTES, pool->epoch + 1);
    nvmi_lines_saved(pool, lines, lines * (NVM_LINE_BYTES + sizeof(struct tag)));
}

static void save(struct nvmi_pool *pool, const uint32_t *number, size_t count)
{
    const struct tag *last = NULL;
    uint64_t epoch = pool->epoch + 1, lines = 0, due = 0, before = nvmi_lines_known_as_saved();
    for (size_t i = 0; i < count; i++) {
        if (!nvmi_direct_must_save(pool, number[i]))
            continue;
        unsigned char image[NVM_LINE_BYTES] __attribute__((aligned(NVM_LINE_BYTES)));
        uint64_t offset = (uint64_t)number[i] * NVM_LINE_BYTES;
        memcpy(image, pool->heap + offset, sizeof(image));
        nvmi_persist->copy(shadows + offset, image, sizeof(image));
        tags[number[i]] =
            (struct tag){.epoch = epoch, .crc = tag_crc(epoch, image), .before = (uint32_t)before};
        due |= (uint64_t)summarize(offset, epoch) << i;
        lines++;
        const struct tag *tag_line = tags + number[i] / TAGS_PER_LINE * TAGS_PER_LINE;
        if (last && last != tag_line)
            nvmi_persist->flush(last, NVM_LINE_BYTES);
        last = tag_line;
    }
    if (!last)
        return;
    nvmi_persist->flush(last, NVM_LINE_BYTES);
    nvmi_persist->fence();
    saved(pool, number, lines, due);
}

/* Stores to one line reach the medium in order: the copy, then the tag that makes it count, then
 * what the program stores. Recovery must know where to look before the first of them. */
static bool log_word(struct nvmi_pool *pool, const struct nvmi_logged_word *w)
{
#if defined(__x86_64__)
    uint64_t epoch = pool->epoch + 1;
    if (nvmi_is_logged(w))
        return true;
    if (nvmi_log_epoch(w->unit_offset, w->log->tag) == epoch ||
        !nvmi_direct_must_save(pool, (uint32_t)(w->offset / NVM_LINE_BYTES)))
        return false;
    if (summarize(w->offset, epoch)) {
        nvmi_persist->fence();
        summary_is_there(w->offset, epoch);
    }
    w->log->old = __atomic_load_n((uint64_t *)(void *)(pool->heap + w->offset), __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __atomic_store_n(&w->log->tag, nvmi_log_tag(w->unit_offset, epoch, w->number),
                     __ATOMIC_RELEASE);
    nvmi_hook_flush_later(w->offset);
    nvmi_count_logged(0, sizeof(*w->log));
    return true;
#else
    (void)pool;
    (void)w;
    return false;
#endif
}

static void commit(struct nvmi_pool *pool, struct nvmi_changes *changes)
{
    nvmi_direct_commit(pool, changes);
    nvmi_no_lines_saved();
}

/* A shadow that does not fit its tag: the fence was not reached, and the line had
 * not changed. */
static bool is_saved(uint64_t line, uint64_t epoch)
{
    if (tags[line].epoch != epoch)
        return false;
    nvmi_media_was_read(NVM_LINE_BYTES);
    return tags[line].crc == tag_crc(epoch, shadows + line * NVM_LINE_BYTES);
}

/* Was nothing saved there in the open epoch or later? */
static bool is_untouched(const struct nvmi_pool *pool, uint64_t offset)
{
    const struct summary *s = &summaries[offset >> summary_shift];
    bool sound = s->check == ~s->epoch || (!s->epoch && !s->check);
    return sound && s->epoch < pool->control_read.base_epoch;
}

/* Ranges of the arena's first `limit_bytes` whose tags are to be looked at, until one is
 * refused: gives back with what. */
typedef int nvmi_visit(struct nvmi_pool *pool, struct nvmi_range range, void *context);
static int each_touched(struct nvmi_pool *pool, uint64_t limit_bytes, nvmi_visit *visit,
                        void *context)
{
    struct nvmi_range used[NVMI_MAX_RANGES];
    unsigned count = nvmi_direct_used(pool, limit_bytes, used);
    int refused = 0;
    for (unsigned i = 0; i < count; i++) {
        uint64_t end = used[i].offset + used[i].size_bytes;
        for (uint64_t at = used[i].offset, next; at < end && !refused; at = next) {
            next = ((at >> summary_shift) + 1) << summary_shift;
            next = next < end ? next : end;
            if (!is_untouched(pool, at))
                refused = visit(pool, (struct nvmi_range){at, next - at}, context);
        }
    }
    return refused;
}

static int roll_back_range(struct nvmi_pool *pool, struct nvmi_range range, void *put)
{
    nvmi_put *const *to = put;
    for (uint64_t at = range.offset; at < range.offset + range.size_bytes; at += NVM_LINE_BYTES)
        if (is_saved(at / NVM_LINE_BYTES, pool->control_read.base_epoch))
            (*to)(pool, (uint32_t)(at / NVM_LINE_BYTES), shadows + at);
    return 0;
}

static int roll_back_logs(struct nvmi_pool *pool, struct nvmi_range range, void *put)
{
    nvmi_put *const *to = put;
    nvmi_roll_back_logs(pool, *to, range);
    return 0;
}

/* Lines as they were saved first: words of them may have been copied before. */
static void roll_back(struct nvmi_pool *pool, nvmi_put *put, uint64_t limit_bytes)
{
    each_touched(pool, limit_bytes, roll_back_range, &put);
    if (limit_bytes != UINT64_MAX)
        return;
    nvmi_roll_back_cells(pool, put);
    nvmi_line_logs_read();
    each_touched(pool, limit_bytes, roll_back_logs, &put);
}

static int examine(struct nvmi_pool *pool)
{
    pool->epoch = pool->control_read.base_epoch - 1;
    locate(pool);
    return 0;
}

/* Lines whose tag and shadow say that an epoch saved them. */
struct saved_count {
    uint64_t all;
    uint64_t by_last; /* by the latest call of which one is whole */
    uint64_t before;  /* so many were saved before that call */
};

static void count_saved(struct saved_count *count, const struct tag *tag)
{
    count->all++;
    if (count->all == 1 || tag->before > count->before) {
        count->before = tag->before;
        count->by_last = 0;
    }
    count->by_last += tag->before == count->before;
}

static int count_range(struct nvmi_pool *pool, struct nvmi_range range, void *count)
{
    uint64_t epoch = pool->control_read.base_epoch;
    for (uint64_t at = range.offset; at < range.offset + range.size_bytes; at += NVM_LINE_BYTES) {
        if (is_saved(at / NVM_LINE_BYTES, epoch + 1))
            return EINVAL;
        if (is_saved(at / NVM_LINE_BYTES, epoch))
            count_saved(count, &tags[at / NVM_LINE_BYTES]);
    }
    return 0;
}

/* What is damaged, NULL: nothing. A line that was saved in the epoch after the open
 * one: the control slot that ended the open one was whole once. Fewer lines than the
 * marks or a later call know of: some were whole once. */
static const char *damaged_part(struct nvmi_pool *pool)
{
    struct saved_count count = {0};
    if (each_touched(pool, UINT64_MAX, count_range, &count) != 0)
        return "the control record";
    bool lost = count.all < nvmi_saved_in(pool, pool->control_read.base_epoch) ||
                count.all - count.by_last < count.before;
    return lost ? "the table of saved lines" : NULL;
}

static int load_range(struct nvmi_pool *pool, struct nvmi_range range, void *unused)
{
    (void)unused;
    return nvmi_direct_load(pool, &tags[range.offset / NVM_LINE_BYTES],
                            range.size_bytes / NVM_LINE_BYTES * sizeof(*tags));
}

static int view(struct nvmi_pool *pool, uint64_t limit_bytes)
{
    if (pool->restored) {
        int error = nvmi_direct_load(pool, summaries, summary_count(pool) * sizeof(*summaries));
        if (error || (error = each_touched(pool, UINT64_MAX, load_range, NULL)))
            return error;
        const char *damaged = damaged_part(pool);
        if (damaged)
            return nvmi_fail(EINVAL, "pool-damaged", "%s: %s is damaged", pool->path, damaged);
    }
    roll_back(pool, nvmi_put_view, limit_bytes);
    return 0;
}

static int recover(struct nvmi_pool *pool)
{
    nvmi_no_lines_saved();
    nvmi_release(summarized, summarized_bytes);
    summarized_bytes = summary_count(pool) * sizeof(*summarized);
    summarized = nvmi_reserve(summarized_bytes);
    if (!summarized)
        return nvmi_fail(ENOMEM, "no-memory", "no address space for what is known as summarized");
    return nvmi_direct_recover(pool, roll_back);
}

static int back(struct nvmi_pool *pool, uint64_t from, uint64_t to)
{
    uint64_t lines = pool->header.arena_size_bytes / NVM_LINE_BYTES;
    uint64_t shadows_offset = nvmi_line_up(lines * sizeof(struct tag));
    struct nvmi_range r[NVMI_MAX_RANGES];
    unsigned count = nvmi_arena_ranges(pool, from, to, r);
    int error = 0;
    for (unsigned i = 0; i < count && !error; i++) {
        error = nvmi_back_area(pool, r[i].offset / NVM_LINE_BYTES * sizeof(struct tag),
                               r[i].size_bytes / NVM_LINE_BYTES * sizeof(struct tag));
        if (!error)
            error = nvmi_back_area(pool, shadows_offset + r[i].offset, r[i].size_bytes);
    }
    return error;
}

static uint64_t area_bytes(uint64_t pool_bytes)
{
    return pool_bytes / 9 * 5;
}

static uint64_t arena_limit(uint64_t area)
{
    return area / 5 * 4;
}

const struct nvm_engine nvmi_engine_incll = {
    .name = "incll",
    .number = 5,
    .promise_process = "a checkpoint survives a crash of the process",
    .promise_power = "a checkpoint survives a crash of the process and power loss",
    .durable = true,
    .atomic = true,
    .goes_back = true,
    .side_by_side = true,
    .grows = true,
    .can_replicate = true,
    .cells = true,
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
    .saves_beside = true,
    .log_word = log_word,
    .commit = commit,
    .wait = nvmi_nothing,
};
