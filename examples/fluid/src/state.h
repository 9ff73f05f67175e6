/*===- state.h - files that hold a state ------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 *     head, HEAD_BYTES    particles, 40 bytes each
 *
 * Particles are checked in groups of 2 MiB; the head has the sum of each. Layouts with an order
 * of their own write them in that, the others by number.
 */
#ifndef STATE_H
#define STATE_H

#include "fluid.h"
#include <stdio.h>

#define HEAD_BYTES 65536
/* So many particles take up 2 MiB but for 512 bytes, and whole lines of the cache. */
#define GROUP 52416u
#define MOST_GROUPS 8000u
#define MAGIC "fluid 1\n"

struct state_head {
    char magic[8];
    float box[3];
    uint32_t count, fixed, total, is_part;
    uint32_t origin; /* state_origin() of the first state of the run; 0: this is the first */
    uint64_t step;
    uint64_t sum; /* of all else in the head */
    uint64_t sums[MOST_GROUPS];
};
_Static_assert(sizeof(struct state_head) <= HEAD_BYTES, "fits");

/* "fluid: error: .." on stderr. Gives back false. */
bool failed(const char *id, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* One word for each of a particle's. */
struct sum {
    uint64_t word[5];
};
void sum_add(struct sum *sum, const struct particle *p, uint32_t n);
uint64_t sum_end(const struct sum *sum);

/* False, with errno, 0 at the end of the file. */
bool read_all(int file, void *to, size_t size_bytes, int64_t at);
extern _Atomic uint64_t written_bytes; /* to files, by this process */
bool write_all(int file, const void *from, size_t size_bytes, int64_t at);

/* Only reads. 0 or what is wrong with the file. */
const char *state_head_read(int file, struct state_head *head);
/* Of which run it is: that of the first state, by its sum. Not 0. */
uint32_t state_origin(const struct state_head *head);
/* Is `fluid`, which may have been kept, of the run that goes from this state to that step? False
 * with a message. */
bool state_is_of_run(const char *first, uint64_t steps);
/* When all else in it is there. */
void state_head_end(struct state_head *head);
/* Opens a state; `fluid` gets what its head says. -1 with a message. */
int state_open(const char *path, struct state_head *head);
/* The particles, too. */
bool state_load(const char *path);

/* Writes the state into `file`, by all threads. What it held before, `head`, is not valid
 * meanwhile, and what has not changed since step `since` stays. False, with errno. */
bool state_write(int file, struct state_head *head, int64_t since);
/* A thread's part of it. */
void state_write_part(unsigned me);
/* A file that appears whole or not at all. */
bool state_save(const char *path);

#endif
