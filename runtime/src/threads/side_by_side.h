/*===- side_by_side.h - threads whose sections run side by side -------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * A section either runs alone or beside others. Who runs alone, or commits, has locked the
 * sections: nobody is inside one that runs beside others, and nobody gets in. Who runs beside
 * others writes to memory of its own when it comes and when it goes.
 *
 * Also between restart points a thread stores beside others. Either way no commit comes before
 * it is out again, or at a restart point; until then it announces its stores in its own list.
 */
#ifndef NVMOVE_SRC_THREADS_SIDE_BY_SIDE_H
#define NVMOVE_SRC_THREADS_SIDE_BY_SIDE_H

#include "base/pool.h"

/* Part of an engine's log to which one thread adds: engines/undo.c. All 0: it has none. */
struct nvmi_slice {
    uint64_t at, end; /* in the log: where the next entry goes, and what is the thread's */
    uint64_t whole;   /* behind a fence is what lies before */
    void *open;       /* the last entry, if lines are still added to it */
};

struct nvmi_beside {
    struct nvmi_lines lines;          /* announced since the last commit */
    uint64_t lines_logged, log_bytes; /* by the engine since then; it has read the lines */
    struct nvmi_slice slice;          /* since then, of the engine's log */
    int inside;                       /* a section that runs beside others; atomic */
    int announces;                    /* without the engine lock; atomic */
    unsigned put_off;                 /* sections that wait for their commit; atomic */
    bool taken;                       /* by a living thread; under the lock of side_by_side.c */
    struct nvmi_beside *next;
} __attribute__((aligned(64)));

/* Of this thread while it stores beside others, else NULL. */
extern _Thread_local struct nvmi_beside *nvmi_beside;
/* All that there have been, those of ended threads, too; they stay. Atomic. */
extern struct nvmi_beside *nvmi_all_beside;
unsigned nvmi_beside_count(void);
/* Has this thread one, and stores go there from now on; or no longer. */
void nvmi_beside_begin(void);
void nvmi_beside_end(void);

/* The outermost section of this thread runs beside others; for section.c. */
extern _Thread_local bool nvmi_is_beside;
/* A thread is inside a section that runs alone, which is more than that it has locked the sections.
 * Whoever unlocks them sets it back. Atomic. */
extern bool nvmi_section_runs;
bool nvmi_beside_has_gate(void); /* has any section run beside others? */
/* Into a section beside others. False: the sections are locked, unless it `waits`. */
bool nvmi_beside_enter(bool waits);
void nvmi_beside_leave(void);
/* Other sections wait for the end of this thread's from here on. False: they go on beside it, since
 * they do not end soon. */
bool nvmi_beside_alone(void);

/* Around an announcement that needs no engine lock, by a thread that stores beside others. Who
 * stops them makes a barrier for all threads, so these need none. */
extern int nvmi_announced_slowly; /* they are stopped, or the kernel has no such barrier; atomic */
void nvmi_announce_slowly(void);
static inline void nvmi_announce_begin(void)
{
    __atomic_store_n(&nvmi_beside->announces, 1, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (__builtin_expect(__atomic_load_n(&nvmi_announced_slowly, __ATOMIC_ACQUIRE), 0))
        nvmi_announce_slowly();
}
static inline void nvmi_announce_end(void)
{
    __atomic_store_n(&nvmi_beside->announces, 0, __ATOMIC_RELEASE);
}
/* For a fork, by who has the engine lock: no thread is in between until they go on. */
void nvmi_announcements_stop(void);
void nvmi_announcements_go_on(void);

/* So that no other thread is in a section. Not by a thread that is in one. */
void nvmi_sections_lock(void);
bool nvmi_sections_trylock(void);   /* false: some thread is */
bool nvmi_sections_lock_soon(void); /* false: it had to wait for too long */
void nvmi_sections_unlock(void);
/* After a fork: other threads are no more. `locked`: this one had locked the sections. */
void nvmi_beside_in_child(bool locked);

#endif /* NVMOVE_SRC_THREADS_SIDE_BY_SIDE_H */
