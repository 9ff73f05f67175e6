/*===- lists.c - lists of announced lines, and what a commit takes of them --===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "hook/lists.h"
#include "base/engine.h"
#include "base/error.h"
#include "base/memory.h"
#include "hook/hook.h"
#include "medium/media.h"
#include "threads/side_by_side.h"
#include <string.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>

unsigned char *nvmi_touched;

/* Two threads may both add a line that neither saw announced. Lines with logs come once for each
 * of these, too, and stand in two of the lists. */
#define LIST_CAPACITY(lines) ((nvmi_pool.engine->log_word ? 6 : 3) * (size_t)(lines) + 4096)
/* Lists that grew beyond this give their memory back after the commit. */
#define KEEP_LINES (1u << 20)

size_t nvmi_arena_lines(void)
{
    return nvmi_pool.header.arena_size_bytes / NVM_LINE_BYTES;
}

bool nvmi_list_open(struct nvmi_lines *list)
{
    list->capacity = LIST_CAPACITY(nvmi_arena_lines());
    list->number = nvmi_reserve(list->capacity * sizeof(*list->number));
    return list->number != NULL;
}

void nvmi_list_close(struct nvmi_lines *list)
{
    nvmi_release(list->number, list->capacity * sizeof(*list->number));
    memset(list, 0, sizeof(*list));
}

bool nvmi_hook_is_ahead(void)
{
    for (const struct nvmi_beside *b = __atomic_load_n(&nvmi_all_beside, __ATOMIC_ACQUIRE); b;
         b = b->next)
        if (__atomic_load_n(&b->lines.count, __ATOMIC_RELAXED))
            return true;
    return nvmi_pool.changes.lines.count || nvmi_pool.changes.zero_count;
}

bool nvmi_hook_pending(void)
{
    return nvmi_hook_is_ahead() || __atomic_load_n(&nvmi_pool.orphans.count, __ATOMIC_RELAXED) ||
           nvmi_pool.orphans_before.count;
}

static void append(struct nvmi_lines *to, const struct nvmi_lines *from)
{
    if (from->count > to->capacity - to->count)
        nvmi_bug("more announced lines than the heap has");
    memcpy(to->number + to->count, from->number, from->count * sizeof(*from->number));
    to->count += from->count;
}

static void clear_marks(const struct nvmi_lines *lines)
{
    unsigned char *marks = nvmi_touched; /* the compiler cannot know what a mark is not */
    const uint32_t *number = lines->number;
    for (size_t i = 0, count = lines->count; i < count; i++)
        __atomic_store_n(&marks[number[i]], NVMI_NOT_ANNOUNCED, __ATOMIC_RELAXED);
}

static void empty(struct nvmi_lines *lines)
{
    if (lines->count > KEEP_LINES)
        madvise(lines->number, lines->capacity * sizeof(*lines->number), MADV_DONTNEED);
    __atomic_store_n(&lines->count, 0, __ATOMIC_RELAXED);
}

/* Of threads that store beside each other; none of them is at it. */
static void collect_beside(struct nvmi_lines *to)
{
    for (struct nvmi_beside *b = __atomic_load_n(&nvmi_all_beside, __ATOMIC_ACQUIRE); b;
         b = b->next) {
        if (b->lines.count)
            append(to, &b->lines);
        empty(&b->lines);
        if (!b->log_bytes)
            continue;
        nvmi_media_was_read(b->lines_logged * NVM_LINE_BYTES);
        NVMI_COUNT(lines_logged, b->lines_logged);
        NVMI_COUNT(log_bytes, b->log_bytes);
        b->lines_logged = b->log_bytes = 0;
    }
}

/* Against other threads only; costs as much as copying some lines. */
static void fence_marks(void)
{
    if (!__libc_single_threaded)
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* The marks go before the lines are copied: a store announced after this belongs
 * to the next commit. A store by another thread outside a section may still lie
 * between its announcement and itself, so orphans are logged once more with the
 * next commit. */
void nvmi_hook_collect(void)
{
    struct nvmi_pool *pool = &nvmi_pool;
    struct nvmi_lines *lines = &pool->changes.lines;
    collect_beside(lines);
    clear_marks(lines);
    pool->changes.first_orphan = lines->count;
    if (!pool->orphans_before.count && !__atomic_load_n(&pool->orphans.count, __ATOMIC_RELAXED)) {
        fence_marks();
        return;
    }
    pthread_mutex_lock(&nvmi_orphan_lock);
    append(lines, &pool->orphans);
    clear_marks(&pool->orphans);
    append(lines, &pool->orphans_before);
    struct nvmi_lines swap = pool->orphans_before;
    pool->orphans_before = pool->orphans;
    pool->orphans = swap;
    __atomic_store_n(&pool->orphans.count, 0, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&nvmi_orphan_lock);
    fence_marks();
}

void nvmi_hook_done(void)
{
    empty(&nvmi_pool.changes.lines);
    nvmi_pool.changes.zero_count = 0;
}
