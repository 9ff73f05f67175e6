/*===- arena.c - who may allocate and free where ----------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "heap/arena.h"
#include "base/memory.h"
#include "base/pool.h"
#include "heap/classes.h"

struct nvmi_arena nvmi_arenas[NVMI_ARENAS] = {
    [0 ... NVMI_ARENAS - 1] = {.lock = NVMI_OWNER_LOCK_INITIALIZER}};
unsigned nvmi_arena_count;
static unsigned locked_count; /* by who has locked all */
static bool all_locked;       /* really: a process with one thread need not */
_Thread_local struct nvmi_arena *nvmi_own_arena;
_Thread_local bool nvmi_has_all;

bool nvmi_arena_try(struct nvmi_arena *arena)
{
    if (nvmi_has_all || NVMI_SINGLE_THREADED)
        return true;
    if (!nvmi_owner_trylock(&arena->lock))
        return false;
    arena->held = true;
    return true;
}

void nvmi_pages_lock(void)
{
    if (!nvmi_has_all)
        pthread_mutex_lock(&nvmi_heap_lock);
}

void nvmi_pages_unlock(void)
{
    if (!nvmi_has_all)
        pthread_mutex_unlock(&nvmi_heap_lock);
}

/* A thread that has just got an arena of its own is not overlooked. */
static void lock_really(void)
{
    unsigned locked = 0;
    for (;;) {
        unsigned count = __atomic_load_n(&nvmi_arena_count, __ATOMIC_ACQUIRE);
        for (; locked < count; locked++)
            nvmi_arena_lock(&nvmi_arenas[locked]);
        pthread_mutex_lock(&nvmi_heap_lock);
        if (locked == nvmi_arena_count)
            break;
        pthread_mutex_unlock(&nvmi_heap_lock);
    }
    locked_count = locked;
}

void nvmi_heap_lock_all(void)
{
    bool alone = NVMI_SINGLE_THREADED;
    if (!alone)
        lock_really();
    all_locked = !alone;
    nvmi_has_all = true;
}

void nvmi_heap_unlock_all(void)
{
    nvmi_has_all = false;
    if (!all_locked)
        return;
    all_locked = false;
    unsigned count = locked_count;
    pthread_mutex_unlock(&nvmi_heap_lock);
    while (count)
        nvmi_arena_unlock(&nvmi_arenas[--count]);
}

void nvmi_heap_locks_in_child(void)
{
    pthread_mutex_init(&nvmi_heap_lock, NULL);
    for (unsigned i = 0; i < NVMI_ARENAS; i++) {
        nvmi_owner_lock_in_child(&nvmi_arenas[i].lock);
        nvmi_arenas[i].held = false;
    }
    nvmi_has_all = all_locked = false;
}

/* Each word once, and one entry that is written and does not count. */
static size_t changed_bytes(void)
{
    return ((size_t)nvmi_heap.page_count * NVMI_PAGE_WORDS + 1) * sizeof(uint32_t);
}

static bool arena_open(struct nvmi_arena *arena)
{
    arena->bins = nvmi_reserve((NVMI_MAX_TYPES + 1) * NVMI_CLASSES * sizeof(*arena->bins));
    arena->changed.word = nvmi_reserve(changed_bytes());
    return arena->bins && arena->changed.word;
}

static void arena_close(struct nvmi_arena *arena)
{
    nvmi_release(arena->bins, (NVMI_MAX_TYPES + 1) * NVMI_CLASSES * sizeof(*arena->bins));
    nvmi_release(arena->changed.word, changed_bytes());
    arena->bins = NULL;
    arena->changed = (struct nvmi_changed){0};
    arena->deferred = 0;
}

/* The first thread gets the first, so that one thread alone knows only one. */
struct nvmi_arena *nvmi_arena_choose(void)
{
    static unsigned next;
    nvmi_pages_lock();
    unsigned i = nvmi_arena_count < NVMI_ARENAS ? nvmi_arena_count : next++ % NVMI_ARENAS;
    if (nvmi_heap.threads++ == 0)
        i = 0;
    if (!nvmi_arenas[i].bins && !arena_open(&nvmi_arenas[i]))
        i = 0;
    if (nvmi_arenas[i].opened != nvmi_heap.opened)
        nvmi_arenas[i].opened = nvmi_heap.opened;
    if (i == nvmi_arena_count)
        __atomic_store_n(&nvmi_arena_count, i + 1, __ATOMIC_RELEASE);
    nvmi_pages_unlock();
    return &nvmi_arenas[i];
}

bool nvmi_arenas_open(void)
{
    nvmi_arena_count = 1;
    return arena_open(&nvmi_arenas[0]);
}

void nvmi_arenas_close(void)
{
    for (unsigned i = 0; i < nvmi_arena_count; i++)
        arena_close(&nvmi_arenas[i]);
    nvmi_arena_count = 0;
}
