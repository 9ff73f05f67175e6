/*===- hook.c - announced lines ---------------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "hook/hook.h"
#include "base/engine.h"
#include "base/error.h"
#include "base/event.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/taken.h"
#include "forked/frozen.h"
#include "hook/lists.h"
#include "hook/logged_words.h"
#include "medium/media.h"
#include "medium/persist.h"
#include "threads/side_by_side.h"
#include <errno.h>
#include <sched.h>

struct nvm_hot nvm_hot;
const struct nvmi_audit *nvmi_audit;
static bool each_call; /* more is wanted than new lines in the list */
static bool counts_stores;
static bool logs_words;
/* Lines are claimed before they are saved: not all of them under the engine lock. Set under it. */
static bool claims;

#define ZERO_CAPACITY 65536u

/* Where this thread announces what it stores; NULL: among the orphans. */
static inline struct nvmi_lines *list_of_thread(void)
{
    if (__builtin_expect(nvmi_beside != NULL, 0))
        return &nvmi_beside->lines;
    return nvmi_depth > 0 ? &nvmi_pool.changes.lines : NULL;
}

/* From here on saving a line and marking it is not one step to who has the engine lock. */
static __attribute__((noinline)) void open_beside(struct nvmi_lines *list)
{
    if (!nvmi_list_open(list))
        nvmi_die(NVMI_EXIT_FULL, "no-memory", "no address space for the lists of changed lines");
    nvmi_owner_lock(&nvmi_engine_lock);
    __atomic_store_n(&claims, true, __ATOMIC_RELAXED);
    nvmi_owner_unlock(&nvmi_engine_lock);
}

static inline struct nvmi_lines *open_list_of_thread(void)
{
    struct nvmi_lines *list = list_of_thread();
    if (__builtin_expect(list && !list->number, 0))
        open_beside(list);
    return list;
}

int nvmi_hook_open(void)
{
    struct nvmi_pool *pool = &nvmi_pool;
    struct nvmi_changes *changes = &pool->changes;
    nvmi_touched = nvmi_reserve(nvmi_arena_lines());
    changes->zero_count = 0;
    changes->zero_capacity = ZERO_CAPACITY;
    changes->zero = nvmi_reserve(ZERO_CAPACITY * sizeof(*changes->zero));
    counts_stores = nvmi_stats_wanted();
    nvm_hot.touched = nvmi_audit || counts_stores ? nvmi_reserve(nvmi_arena_lines()) : nvmi_touched;
    if (!nvmi_touched || !nvm_hot.touched || !changes->zero || !nvmi_list_open(&changes->lines) ||
        !nvmi_list_open(&pool->orphans) || !nvmi_list_open(&pool->orphans_before))
        return nvmi_fail(ENOMEM, "no-memory", "no address space for the lists of changed lines");
    pool->saves = pool->engine->save || pool->engine->each;
    logs_words = pool->engine->log_word && !nvmi_audit;
    claims = false;
    each_call = pool->saves || nvmi_audit || nvmi_events_on || counts_stores;
    nvm_hot.base = (unsigned long)pool->heap;
    if (nvmi_audit)
        nvmi_audit->opened();
    __atomic_store_n(&nvm_hot.size_bytes, pool->header.arena_size_bytes, __ATOMIC_RELEASE);
    return 0;
}

void nvmi_hook_off(void)
{
    __atomic_store_n(&nvm_hot.size_bytes, 0, __ATOMIC_RELEASE);
}

void nvmi_hook_close(void)
{
    nvmi_hook_off();
    if (nvmi_audit)
        nvmi_audit->closed();
    if (nvm_hot.touched != nvmi_touched)
        nvmi_release(nvm_hot.touched, nvmi_arena_lines());
    nvmi_release(nvmi_touched, nvmi_arena_lines());
    nvmi_release(nvmi_pool.changes.zero, ZERO_CAPACITY * sizeof(*nvmi_pool.changes.zero));
    nvmi_list_close(&nvmi_pool.changes.lines);
    for (struct nvmi_beside *b = nvmi_all_beside; b; b = b->next)
        nvmi_list_close(&b->lines);
    nvmi_list_close(&nvmi_pool.orphans);
    nvmi_list_close(&nvmi_pool.orphans_before);
    nvm_hot.touched = nvmi_touched = NULL;
    nvmi_pool.changes.zero = NULL;
}

static void add_line(struct nvmi_lines *list, uint32_t line)
{
    if (list->count == list->capacity)
        nvmi_bug("more announced lines than the heap has");
    list->number[list->count] = line;
    __atomic_store_n(&list->count, list->count + 1, __ATOMIC_RELAXED);
    nvmi_event();
}

/* For engines that want each announcement, or whose lines are not marked: a line
 * may stand in the list many times. When the list is full it may be emptied by
 * flushing, because such stores are never taken back. */
static void add_again(struct nvmi_lines *list, uint32_t line)
{
    if (list->count == list->capacity) {
        for (size_t i = 0; i < list->count; i++)
            nvmi_persist->flush(nvmi_pool.heap + (uint64_t)list->number[i] * NVM_LINE_BYTES,
                                NVM_LINE_BYTES);
        nvmi_persist->fence();
        list->count = 0;
    }
    add_line(list, line);
}

static __attribute__((noinline)) bool claim_beside(uint32_t line)
{
    for (;;) {
        unsigned char mark = NVMI_NOT_ANNOUNCED;
        if (__atomic_compare_exchange_n(&nvmi_touched[line], &mark, NVMI_BEING_SAVED, false,
                                        __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE))
            return true;
        if (mark == NVMI_ANNOUNCED)
            return false;
        sched_yield();
    }
}

/* Is it for this thread to save the line? Then it does, and marks it; until then others wait
 * here. Who claims several does so in ascending order. */
static inline bool claim(uint32_t line)
{
    if (__builtin_expect(__atomic_load_n(&claims, __ATOMIC_RELAXED), 0))
        return claim_beside(line);
    return !nvmi_touched[line];
}

/* The engine saves the lines before anyone takes them for saved. */
static unsigned long announce_one(struct nvmi_lines *list, uint32_t line)
{
    if (!claim(line))
        return 0;
    nvmi_pool.engine->save(&nvmi_pool, &line, 1);
    __atomic_store_n(&nvmi_touched[line], NVMI_ANNOUNCED, __ATOMIC_RELEASE);
    add_line(list, line);
    return 1;
}

static unsigned long announce_saved(struct nvmi_lines *list, unsigned long first,
                                    unsigned long last)
{
    struct nvmi_pool *pool = &nvmi_pool;
    unsigned long added = 0;
    while (first <= last) {
        uint32_t batch[NVMI_SAVE_LINES];
        size_t n = 0;
        for (; first <= last && n < NVMI_SAVE_LINES; first++)
            if (claim((uint32_t)first))
                batch[n++] = (uint32_t)first;
        pool->engine->save(pool, batch, n);
        for (size_t i = 0; i < n; i++) {
            __atomic_store_n(&nvmi_touched[batch[i]], NVMI_ANNOUNCED, __ATOMIC_RELEASE);
            add_line(list, batch[i]);
        }
        added += n;
    }
    return added;
}

/* For a list of a thread's own, so that the lines of all of them are no more than there are. */
static inline bool was_announced(uint32_t line)
{
    if (__builtin_expect(nvmi_beside != NULL, 0))
        return __atomic_exchange_n(&nvmi_touched[line], NVMI_ANNOUNCED, __ATOMIC_RELAXED);
    __atomic_store_n(&nvmi_touched[line], NVMI_ANNOUNCED, __ATOMIC_RELAXED);
    return false;
}

static unsigned long announce(struct nvmi_lines *list, unsigned long first, unsigned long last)
{
    const struct nvm_engine *engine = nvmi_pool.engine;
    if (engine->each || !nvmi_is_covered()) {
        if (engine->each)
            engine->each(&nvmi_pool, (uint32_t)first, (uint32_t)last);
        for (unsigned long line = first; line <= last; line++)
            add_again(list, (uint32_t)line);
        return last - first + 1;
    }
    if (engine->save)
        return first == last ? announce_one(list, (uint32_t)first)
                             : announce_saved(list, first, last);
    unsigned long added = 0;
    for (unsigned long line = first; line <= last; line++) {
        if (__atomic_load_n(&nvmi_touched[line], __ATOMIC_RELAXED) || was_announced((uint32_t)line))
            continue;
        add_line(list, (uint32_t)line);
        added++;
    }
    return added;
}

/* False: its line is still to be saved, if it has not been. */
static bool log_in_line(unsigned long offset, unsigned long size_bytes)
{
    struct nvmi_pool *pool = &nvmi_pool;
    struct nvmi_logged_word word;
    uint32_t line = (uint32_t)(offset / NVM_LINE_BYTES);
    if (!pool->engine->log_word || !nvmi_logged_word(offset, size_bytes, &word) || !claim(line))
        return false;
    bool logged = pool->engine->log_word(pool, &word);
    __atomic_store_n(&nvmi_touched[line], NVMI_NOT_ANNOUNCED, __ATOMIC_RELEASE);
    return logged;
}

static __attribute__((noinline)) void touch_many(unsigned long offset, unsigned long size_bytes)
{
    unsigned long heap_bytes = nvm_hot.size_bytes;
    if (size_bytes == 0 || offset >= heap_bytes)
        return;
    if (size_bytes > heap_bytes - offset)
        size_bytes = heap_bytes - offset; /* an object of the program's cannot end beyond */
    unsigned long first = offset / NVM_LINE_BYTES,
                  last = (offset + size_bytes - 1) / NVM_LINE_BYTES;
    if (nvmi_audit)
        nvmi_audit->announced(offset, size_bytes);
    struct nvmi_lines *list = open_list_of_thread();
    bool is_beside = nvmi_beside && nvmi_pool.engine->saves_beside, locks = nvmi_pool.saves;
    if (is_beside)
        nvmi_announce_begin();
    else if (locks)
        nvmi_owner_lock(&nvmi_engine_lock);
    if (nvmi_pool.engine->by_thread)
        nvmi_pool.engine->by_thread(&nvmi_pool);
    nvmi_will_change(offset, size_bytes);
    bool logged = log_in_line(offset, size_bytes);
    if (!logged && list) {
        announce(list, first, last);
    } else if (!logged) {
        pthread_mutex_lock(&nvmi_orphan_lock);
        NVMI_COUNT(orphan_stores, announce(&nvmi_pool.orphans, first, last));
        pthread_mutex_unlock(&nvmi_orphan_lock);
    }
    if (is_beside)
        nvmi_announce_end();
    else if (locks)
        nvmi_owner_unlock(&nvmi_engine_lock);
}

static void count_store(void)
{
    if (counts_stores)
        __atomic_fetch_add(&nvmi_pool.stats.stores, 1, __ATOMIC_RELAXED);
}

/* A word in a line that is not saved is announced again and again: without the lock, unless a
 * commit might end the epoch meanwhile. */
static inline bool is_known_as_logged(unsigned long offset, unsigned long size_bytes)
{
    struct nvmi_logged_word word;
    return logs_words && (nvmi_depth > 0 || nvmi_takes_part) &&
           nvmi_logged_word(offset, size_bytes, &word) && nvmi_is_logged(&word);
}

static __attribute__((noinline)) void touch_slowly(unsigned long offset, unsigned long size_bytes)
{
    count_store();
    if (!is_known_as_logged(offset, size_bytes))
        touch_many(offset, size_bytes);
}

/* The same as below. */
static __attribute__((noinline)) void touch_beside(unsigned long offset, unsigned long size_bytes)
{
    struct nvmi_lines *list = &nvmi_beside->lines;
    uint32_t line = (uint32_t)(offset / NVM_LINE_BYTES);
    if (!list->number)
        touch_slowly(offset, size_bytes);
    else if (!was_announced(line)) {
        list->number[list->count] = line;
        __atomic_store_n(&list->count, list->count + 1, __ATOMIC_RELAXED);
    }
}

/* Most calls are for one new line in a section: who calls has found it not announced. Of a
 * section's own list no line can be missing room, since each stands there once. */
void nvm_touch(unsigned long offset, unsigned long size_bytes)
{
    struct nvmi_lines *list = &nvmi_pool.changes.lines;
    unsigned long line = offset / NVM_LINE_BYTES;
    bool is_beside = nvmi_beside;
    nvmi_use();
    if ((nvmi_depth == 0 && !is_beside) || each_call ||
        offset % NVM_LINE_BYTES + size_bytes > NVM_LINE_BYTES || size_bytes == 0) {
        touch_slowly(offset, size_bytes);
        return;
    }
    if (is_beside) {
        touch_beside(offset, size_bytes);
        return;
    }
    __atomic_store_n(&nvmi_touched[line], NVMI_ANNOUNCED, __ATOMIC_RELAXED);
    list->number[list->count++] = (uint32_t)line;
}

void nvmi_hook_lines(uint32_t *number, size_t count)
{
    struct nvmi_pool *pool = &nvmi_pool;
    size_t n = 0;
    if (nvm_hot.size_bytes == 0 || count == 0)
        return;
    if (nvmi_audit || !pool->engine->goes_back) {
        for (size_t i = 0; i < count; i++)
            touch_many((uint64_t)number[i] * NVM_LINE_BYTES, NVM_LINE_BYTES);
        return;
    }
    if (pool->saves)
        nvmi_owner_lock(&nvmi_engine_lock);
    for (size_t i = 0; i < count; i++) { /* whether it is new is hard to predict */
        uint32_t line = number[i];
        nvmi_will_change((uint64_t)line * NVM_LINE_BYTES, NVM_LINE_BYTES);
        number[n] = line;
        n += !nvmi_touched[line];
        __atomic_store_n(&nvmi_touched[line], NVMI_ANNOUNCED, __ATOMIC_RELAXED);
    }
    if (pool->engine->save)
        pool->engine->save(pool, number, n);
    for (size_t i = 0; i < n; i++)
        add_line(&pool->changes.lines, number[i]);
    if (pool->saves)
        nvmi_owner_unlock(&nvmi_engine_lock);
}

void nvmi_hook_flush_later(uint64_t offset)
{
    struct nvmi_lines *list = open_list_of_thread();
    if (list) {
        add_line(list, (uint32_t)(offset / NVM_LINE_BYTES));
        return;
    }
    pthread_mutex_lock(&nvmi_orphan_lock);
    add_line(&nvmi_pool.orphans, (uint32_t)(offset / NVM_LINE_BYTES));
    pthread_mutex_unlock(&nvmi_orphan_lock);
}

void nvmi_hook_overwrite(const void *p, size_t size_bytes)
{
    struct nvmi_pool *pool = &nvmi_pool;
    uint64_t offset = (uint64_t)((const unsigned char *)p - pool->heap);
    if (offset >= nvm_hot.size_bytes || size_bytes == 0)
        return;
    if (!pool->engine->save || !pool->engine->goes_back) {
        nvm_store(p, size_bytes);
        return;
    }
    count_store();
    if (nvmi_audit)
        nvmi_audit->announced(offset, size_bytes);
    struct nvmi_lines *list = open_list_of_thread();
    nvmi_owner_lock(&nvmi_engine_lock);
    nvmi_will_change(offset, size_bytes);
    for (uint64_t line = offset / NVM_LINE_BYTES; line * NVM_LINE_BYTES < offset + size_bytes;
         line++)
        if (claim((uint32_t)line)) {
            __atomic_store_n(&nvmi_touched[line], NVMI_ANNOUNCED, __ATOMIC_RELEASE);
            add_line(list, (uint32_t)line);
        }
    nvmi_owner_unlock(&nvmi_engine_lock);
}

bool nvmi_hook_zero(uint64_t offset, uint64_t size_bytes)
{
    struct nvmi_changes *changes = &nvmi_pool.changes;
    if (nvm_hot.size_bytes == 0)
        return true; /* nothing is announced in this process */
    if (changes->zero_count == changes->zero_capacity)
        return false;
    nvmi_will_change(offset, size_bytes);
    changes->zero[changes->zero_count++] = (struct nvm_disk_zero){offset, size_bytes};
    return true;
}
