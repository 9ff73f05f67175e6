/*===- restart.h - checkpoints and restart points ---------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * For programs that say themselves when their data are whole. What the rewriter emits
 * with --restart-points is in nvm.h, nvm_restart_point() among it.
 */
#ifndef NVMOVE_RESTART_H
#define NVMOVE_RESTART_H

#include "nvm.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Commits now, whatever the epoch: everything so far is durable when it returns.
 * Waits for the section of another thread to end, and until every other thread that
 * takes part (below) is at a restart point; not inside a section. Without a pool, in a
 * snapshot child and before nvm_ready() it does nothing. */
void nvm_checkpoint(void);

/*===-- Restart points ------------------------------------------------------===*/

/* For programs whose threads cannot hold their locks until a section ends. A
 * thread that takes part names the points at which it holds no half-made update;
 * a checkpoint is taken when one is due (NVM_EPOCH_MS) and all of them are at
 * such a point. After a crash the pool is as of the last checkpoint. While any
 * thread takes part, the end of a section commits nothing. (ResPCT.)
 *
 * exit() and nvm_close() commit only if all that take part are at such a point or
 * paused, else they say that the pool stays as of the last checkpoint: let the
 * threads leave before. (Who calls nvm_close() is at one.) All of these functions are
 * called outside sections. A thread that ends has left. Under the engines tx and flush
 * nobody can take part: they cannot go back to a restart point, so nvm_thread_enter()
 * ends the process [restart-points]. */
void nvm_thread_enter(void);
void nvm_thread_leave(void);
/* Around what may block: the thread counts as being at a restart point, and must
 * not store to the heap, allocate or free meanwhile. */
void nvm_thread_pause(void);
void nvm_thread_resume(void);

/*===-- Cells ---------------------------------------------------------------===*/

/* A word with its undo copy in the same cache line. A processor writes a line
 * back with its stores in order, so under the engine incll a cell needs no flush
 * when it changes; under other engines it is announced like any store. Allocate
 * with nvm_cell_new(), free with nvm_free(). Private but for `value`, which may be
 * read. */
struct nvm_cell {
    long value, old;
    unsigned long epoch;
    unsigned long unused;
};
struct nvm_cell *nvm_cell_new(long value); /* NULL: the heap is full */
/* Like any store: in a section, or by a thread that takes part, and one thread at a time
 * for one cell (a lock of the program's). */
void nvm_cell_set(struct nvm_cell *cell, long value);

#ifdef __cplusplus
}
#endif

#endif /* NVMOVE_RESTART_H */
