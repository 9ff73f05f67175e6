/*===- ranks.h - a slab of the fluid, among others --------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 *     rank r   ranks_mpi.c ◄──── MPI ────► ranks r - 1, r + 1, and the monitor
 *                  │  file in memory: struct exchange
 *              fluid-ranks: computes, may be killed and started again
 *
 * A rank has the cells of a range along the second axis. Before each step it gets the particles
 * that its neighbours have within two cells of its own or in them: the halo, and those that it
 * takes over. What it sends and gets in a step depends on the state before that alone, and stays in
 * the file until the step has been committed: a rank that is killed and started again finds it
 * there, and what it sends once more is the same.
 *
 * Links may be killed, too, all at once. Neighbours have then committed the same step, or one of
 * them one more: for that it had what the other sent. What it has sent itself for that step lies in
 * its file, which has lists for two steps: those of step s are not overwritten before the neighbour
 * has committed step s, without which there is nothing to send for step s + 2. So a link that finds
 * its neighbour a step late sends it that once more.
 */
#ifndef RANKS_H
#define RANKS_H

#include "fluid.h"

#define HALO 2u
#define LOW 0
#define HIGH 1
#define EXCHANGE "fluid 2x"

/* What is sent in a step, by even and odd steps. */
struct sending {
    _Atomic uint64_t step;
    uint32_t count[2];
};

/* At the beginning of the file. The lists after it have room for all particles each: two for
 * sending in even steps, two in odd ones, and two for receiving. */
struct exchange {
    char magic[8];             /* EXCHANGE */
    uint64_t room;             /* of each list */
    _Atomic uint64_t done;     /* steps that are committed */
    _Atomic uint64_t sent;     /* by the program, for the step of this number, from 1 */
    _Atomic uint64_t received; /* by the link */
    _Atomic uint64_t is_ready; /* the state has been loaded */
    struct sending sending[2];
    uint32_t receive_count[2];
};
static inline struct particle *exchange_list(struct exchange *x, unsigned number)
{
    return (struct particle *)(void *)(x + 1) + (size_t)x->room * number;
}
static inline struct particle *exchange_send(struct exchange *x, uint64_t step, unsigned side)
{
    return exchange_list(x, (unsigned)(step % 2) * 2 + side);
}
static inline struct particle *exchange_receive(struct exchange *x, unsigned side)
{
    return exchange_list(x, 4 + side);
}
static inline size_t exchange_bytes(uint64_t room)
{
    return sizeof(struct exchange) + (size_t)room * 6 * sizeof(struct particle);
}

/* "1/4": of the four ranks the second; with the file that ranks_mpi.c has made. False with a
 * message. */
bool ranks_start(const char *which, const char *file);
/* By grid.size: whether slabs are wide enough. 0 or what is wrong. */
const char *ranks_measure(void);
bool ranks_are_several(void);
bool ranks_is_mine(uint32_t cell);
/* Before a step: sends and gets. */
void ranks_exchange(void);
/* Tells the link how far the state on the medium is. */
void ranks_done(void);

/* Of layout_list.c. The rows of cells from `from` to `to` along the second axis, into a list; the
 * particles of rows that are not the rank's are given away. */
uint32_t layout_send(struct particle *out, uint32_t from, uint32_t to);
void layout_give_away(void);
/* A particle of the rank's, or of its halo. */
void layout_receive(const struct particle *p);

/* The halo, of which nothing is kept. Emptied, filled, put in order, and then read by cell. */
bool halo_make(void);
void halo_clear(void);
void halo_add(const struct particle *p);
void halo_order(void);
uint32_t halo_count(uint32_t cell);
void halo_copy(uint32_t cell, struct sorted *to);

#endif
