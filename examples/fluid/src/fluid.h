/*===- fluid.h - a fluid of particles, and what is computed of it -----------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 *     layout_sort ──► densities ──► forces ──► layout_move      one step, by all threads
 *      particles      sorted copies, by cell     particles
 *
 * Smoothed particles after Mueller (2003), with the constants of PARSEC's fluidanimate: a grid
 * of cells as wide as the kernel, phases, a barrier behind each. A particle gathers from its
 * neighbours in one order, by cell and number, so a result is the same to the bit for any number
 * of threads, any layout and any number of interruptions.
 *
 * What has to be saved are the particles and the step. All else is computed from them.
 */
#ifndef FLUID_H
#define FLUID_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOST_THREADS 64u

struct particle {
    float position[3];
    float half[3]; /* the velocity half a step ago */
    float velocity[3];
    uint32_t id; /* below `fixed`: of the ground, never moves */
};

/* The state, but for the particles, which are the layout's. */
struct fluid {
    float box[3]; /* from the origin, m; the third is up */
    uint32_t count, fixed;
    uint32_t total;   /* of all ranks */
    uint32_t is_part; /* these are of one rank among others, and those that it gives away next */
    uint32_t origin;  /* of which run: state_origin() */
    uint64_t step;
};
extern struct fluid fluid;

/* What a phase reads: the copy of a particle, among those of its cell. */
struct sorted {
    float position[3], velocity[3];
    float density;
    uint32_t moves;
};
struct grid {
    uint32_t size[3], cells;
    uint32_t *first; /* of a cell's particles in `sorted`; one more than cells */
    struct sorted *sorted;
    float (*acceleration)[3];
    unsigned threads;
};
extern struct grid grid;

/* By fluid.box: how many cells there are. */
void grid_measure(void);
/* After the state has been loaded. False: no memory. */
bool grid_make(unsigned threads);
uint32_t grid_cell(const float position[3]);
/* Moves a particle for one step. */
void grid_advance(struct particle *p, const float acceleration[3]);
/* A thread's part of a step. */
void grid_step(unsigned me);
/* Of the last step: what moving the particles took of the first thread's processor time, ms. */
double grid_move_ms(void);
/* Pairs of particles that are near enough to act on each other, in the last step. */
uint64_t grid_pairs(void);

/*===-- The threads ---------------------------------------------------------===*/

enum job { STEP, SAVE, END };

/* The caller is the first of them. */
bool team_start(unsigned threads);
/* All threads do their parts of it. */
void team_run(enum job job);
/* Within a job: until all are there. */
void team_wait(void);
void team_end(void);

/*===-- How particles lie in memory (layout_*.c) ----------------------------===*/

/* Room for the particles of `fluid`, before they are loaded. */
bool layout_allocate(void);
/* Reads the particles of a state file (state.h), whose groups have these sums. 0 or what is wrong.
 */
const char *layout_load(int file, const uint64_t *sums);
/* Writes those of a thread, and the sums of their groups; only what has changed since step `since`,
 * where the layout knows. -1: all. False, with errno: not all could be written. */
bool layout_save(int file, int64_t since, uint64_t *sums, unsigned me, unsigned threads);
/* What the layout needs besides, for so many threads. */
bool layout_make(unsigned threads);
/* Fills grid.first and grid.sorted. */
void layout_sort(unsigned me);
/* Moves the particles by grid.acceleration. */
void layout_move(unsigned me);
/* A particle that moves, in the middle. */
const struct particle *layout_some(void);

#ifdef REGIONS
/* What a checkpoint of memory has to hold, and how many that are; 0: no memory. */
#define MOST_REGIONS 500u
struct region {
    void *address;
    size_t size_bytes;
};
unsigned layout_regions(struct region out[MOST_REGIONS]);
/* Before they are saved, and after they have been loaded: from and to where the particles are. */
void layout_pack(void);
bool layout_unpack(void);
#endif

#endif
