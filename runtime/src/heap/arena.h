/*===- arena.h - who may allocate and free where ----------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_ARENA_H
#define NVMOVE_SRC_ARENA_H

#include "heap/state.h"
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define NVMI_SINGLE_THREADED __libc_single_threaded
#else
#define NVMI_SINGLE_THREADED 0
#endif

extern struct nvmi_arena nvmi_arenas[NVMI_ARENAS];
extern unsigned nvmi_arena_count; /* in use; grows under the heap lock */
extern _Thread_local struct nvmi_arena *nvmi_own_arena;
extern _Thread_local bool nvmi_has_all; /* this thread has locked everything */

/* The first; false: no address space. */
bool nvmi_arenas_open(void);
void nvmi_arenas_close(void);
struct nvmi_arena *nvmi_arena_choose(void); /* for a thread that has none */

bool nvmi_arena_try(struct nvmi_arena *arena); /* locks it, unless another thread has it */

/* Everything of the heap: what a commit takes. In between, the functions of the heap do not
 * lock. */
void nvmi_heap_lock_all(void);
void nvmi_heap_unlock_all(void);
void nvmi_heap_locks_in_child(void);

/* Locks of parts; nothing if this thread has locked all. */
void nvmi_pages_lock(void); /* the heap lock */
void nvmi_pages_unlock(void);

/* A process without other threads need not lock: half of what an allocation costs. */
static inline void nvmi_arena_lock(struct nvmi_arena *arena)
{
    if (NVMI_SINGLE_THREADED || nvmi_has_all)
        return;
    nvmi_owner_lock(&arena->lock);
    arena->held = true;
}

static inline void nvmi_arena_unlock(struct nvmi_arena *arena)
{
    if (!arena->held || nvmi_has_all)
        return;
    arena->held = false;
    nvmi_owner_unlock(&arena->lock);
}

static inline struct nvmi_arena *nvmi_arena_of_thread(void)
{
    if (__builtin_expect(!nvmi_own_arena || nvmi_own_arena->opened != nvmi_heap.opened, 0))
        nvmi_own_arena = nvmi_arena_choose();
    return nvmi_own_arena;
}

/* The page's arena, locked: a page with a block in it changes hands only under the
 * lock of the one that has it. */
static inline struct nvmi_arena *nvmi_arena_lock_of(uint32_t page)
{
    if (NVMI_SINGLE_THREADED)
        return &nvmi_arenas[nvmi_heap.info[page].arena];
    for (;;) {
        uint8_t index = __atomic_load_n(&nvmi_heap.info[page].arena, __ATOMIC_ACQUIRE);
        struct nvmi_arena *arena = &nvmi_arenas[index];
        nvmi_arena_lock(arena);
        if (__atomic_load_n(&nvmi_heap.info[page].arena, __ATOMIC_RELAXED) == index)
            return arena;
        nvmi_arena_unlock(arena);
    }
}

#endif /* NVMOVE_SRC_ARENA_H */
