/*===- observe.h - what a run shows of the load ---===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 *    compiler's calls, libc's wrappers ─► stores ─► bits of the arena
 *    malloc() & co. ─► arena, each block with its site ─┐
 *    calls of the load function ─► stack ─► load ended ─► reach ─► sites ─► file
 *    poll(), epoll_wait(), .. ─────────────────────────────┘
 *
 * A program that is linked with this library is the user's own, not moved: there is
 * no pool. All memory that it allocates comes from one arena, so that an address
 * leads to its block at once. One lock, nvmi_observe_lock, guards everything but the
 * bits; it is not held while the program runs.
 */
#ifndef NVMOVE_OBSERVE_OBSERVE_H
#define NVMOVE_OBSERVE_OBSERVE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NVMI_MOST_FRAMES 16u
/* Of each block, so many words of 8 bytes are told apart. */
#define NVMI_WORDS 1024u

enum nvmi_state {
    NVMI_LIVE = 1,
    NVMI_OF_LOAD = 2,   /* made, or made larger, while the load ran */
    NVMI_KEPT = 4,      /* reachable when the load ended: counted at its site */
    NVMI_LATER = 8,     /* made later, and found to hang from one that leads */
    NVMI_REACHED = 16,  /* by the scan that runs */
    NVMI_OF_LATER = 32, /* made when the load had ended */
    NVMI_LEADS = 64     /* kept, and of the load, or leads to such a block at once */
};

struct nvmi_block {
    uint64_t size_bytes;
    uint32_t site;
    uint16_t state;
    uint16_t root; /* of the scan: the static word that leads there, if it fits */
};

/* Calls that end in an allocation, innermost first, and what became of its blocks. */
struct nvmi_site {
    uintptr_t frames[NVMI_MOST_FRAMES]; /* return addresses; 0: the end */
    uint64_t made;                      /* in the load */
    uint64_t kept;                      /* of these, reachable when it ended */
    uint64_t ended;                     /* of these, freed before */
    uint64_t returned;                  /* of those kept, by variables of running functions alone */
    uint64_t filled;                    /* made before, written by the load, and reachable */
    uint64_t leading;                   /* of these, leads to a block of the load at once */
    uint64_t later;                     /* made after it, and hung from one that leads */
    uint64_t bytes;                     /* of the largest that is counted */
    uint64_t written[NVMI_WORDS / 64], changed[NVMI_WORDS / 64];
};

extern pthread_mutex_t nvmi_observe_lock;

/*===-- arena.c: under the lock ---------------------------------------------===*/

#define NVMI_ARENA_BYTES (1ull << 36)
extern uintptr_t nvmi_arena; /* 0: nothing was allocated yet */

void nvmi_arena_open(void);
/* NULL: too large. Aligned to 16 bytes, and to `align`, a power of two. */
void *nvmi_arena_take(size_t size_bytes, size_t align);
void nvmi_arena_give(uintptr_t start, struct nvmi_block *block);
/* The live block around an address, and where it begins; NULL: none. */
struct nvmi_block *nvmi_block_at(uintptr_t address, uintptr_t *start);
void nvmi_each_block(void (*visit)(uintptr_t start, struct nvmi_block *block));

/*===-- sites.c: under the lock ---------------------------------------------===*/

extern struct nvmi_site *nvmi_sites;
extern uint32_t nvmi_site_count;
/* The site of an allocation by the calls that the thread is in now. */
uint32_t nvmi_site_of(const void *caller);

/*===-- stack.c -------------------------------------------------------------===*/

/* The innermost call out of the program in front of which a wrapper stands: libc's
 * own functions allocate for it. */
extern _Thread_local const void *nvmi_outer;
/* Return addresses of the thread's calls, innermost first; how many. */
unsigned nvmi_calls(uintptr_t *frames, unsigned most);
/* The local variables of main(); false: it has not begun. */
bool nvmi_frame_of_main(uintptr_t *low, uintptr_t *high);
/* The variables of the functions that the thread is in, but not those of the outermost:
 * what the load returns, or puts where its caller told it, is nowhere else yet. */
void nvmi_frames_within(uintptr_t *low, uintptr_t *high);
/* It began while the load ran, in any thread. */
bool nvmi_ran_in_load(uintptr_t function);
enum nvmi_phase { NVMI_BEFORE, NVMI_IN_LOAD, NVMI_AFTER };
extern volatile enum nvmi_phase nvmi_phase;
extern bool nvmi_is_child; /* after fork(): it says nothing */

/*===-- stores.c ------------------------------------------------------------===*/

/* Bits of the words of a block; bit 0: its first word. */
void nvmi_bits_of(uintptr_t start, uint64_t size_bytes, uint64_t *written, uint64_t *changed);
bool nvmi_is_written(uintptr_t start, uint64_t size_bytes);
void nvmi_bits_clear(uintptr_t start, uint64_t size_bytes);
void nvmi_bits_move(uintptr_t to, uintptr_t from, uint64_t size_bytes);

/*===-- symbols.c -----------------------------------------------------------===*/

/* Reads the program's own table of symbols; ends the program if there is none, or if
 * it lacks a load function. */
void nvmi_symbols_read(void);
bool nvmi_is_load(uintptr_t function);
extern uintptr_t nvmi_main;
extern uintptr_t nvmi_slide; /* what the loader added to addresses of the file */
/* The variable at an address, and where it begins; NULL: none is known. */
const char *nvmi_variable_at(uintptr_t address, uintptr_t *start);
bool nvmi_is_text(uintptr_t address);
/* Where its code begins, and how many bytes that has. */
uintptr_t nvmi_text(size_t *size_bytes);
void nvmi_each_function(void (*visit)(const char *name, uintptr_t function));
extern const char nvmi_observed[]; /* by nvmove-cc: the names, each with its end */

/*===-- reach.c: under the lock ---------------------------------------------===*/

struct nvmi_statics {
    uintptr_t begin, end;
    unsigned char *before, *after; /* copies: as the load began, and as it ended */
    unsigned char *written, *changed, *leads, *fills; /* a byte for each word */
};
extern struct nvmi_statics nvmi_statics[8];
extern unsigned nvmi_statics_count;
void nvmi_load_begins(void);
void nvmi_load_ends(void);
void nvmi_look_again(void);
/* A block of the load, or one that is kept, is about to be freed. */
void nvmi_block_ends(uintptr_t start, struct nvmi_block *block);

/*===-- write.c -------------------------------------------------------------===*/

/* Writes the file again; not under the lock. */
void nvmi_write(void);
/* The program waits: looks and writes if that was not done lately. */
void nvmi_waits(void);
void nvmi_observe_fail(const char *id, const char *text, const char *what)
    __attribute__((noreturn));
/* Zeroed memory that no allocator knows; ends the program if there is none [no-memory]. */
void *nvmi_obtain(size_t bytes);

#endif /* NVMOVE_OBSERVE_OBSERVE_H */
