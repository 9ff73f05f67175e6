/*===- restart.h - checkpoints and restart points ---------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * For programs that themselves declare when their data are consistent. What the rewriter
 * emits with --restart-points, such as nvm_restart_point(), is in nvm.h.
 */
#ifndef NVMOVE_RESTART_H
#define NVMOVE_RESTART_H

#include "nvm.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Commits immediately, independently of the epoch: everything so far is durable when it
 * returns. It waits until the section of another thread ends, and until every other thread
 * that takes part (nvm_thread_enter()) is at a restart point. Not inside a section. Without
 * a pool, in a forked child and before nvm_ready() it does nothing. */
void nvm_checkpoint(void);

/*===-- Restart points ------------------------------------------------------===*/

/* For programs whose threads cannot hold their locks until a section ends. A thread
 * that takes part calls nvm_restart_point() where it has no incomplete update; a
 * checkpoint is taken when one is due (NVM_EPOCH_MS) and all threads that take part
 * are at such a point. After a crash the pool has the state of the last checkpoint.
 * While any thread takes part, the end of a section commits nothing. (ResPCT.)
 *
 * nvm_thread_enter() begins and nvm_thread_leave() ends the part of the calling thread;
 * the end of the thread does so as well. They and the following functions must be called
 * outside of sections. exit() and nvm_close() commit only if all threads that take part
 * are at a restart point or paused; otherwise a message says that the pool keeps the state
 * of the last checkpoint, so let the threads leave before. The thread that calls
 * nvm_close() counts as being at a restart point. The engines tx and flush cannot go back
 * to a restart point: under these, nvm_thread_enter() ends the process [restart-points]. */
void nvm_thread_enter(void);
void nvm_thread_leave(void);
/* Around a call that may block: between the two, the thread counts as being at a restart
 * point, and must not store to the heap, allocate or free. nvm_thread_resume() waits for a
 * checkpoint that is being taken. */
void nvm_thread_pause(void);
void nvm_thread_resume(void);

/*===-- Cells ---------------------------------------------------------------===*/

/* A word with its undo copy in the same cache line. The stores to one line reach memory
 * in order, so under the engine incll a change of a cell needs no flush; under other
 * engines it is announced like any store. Allocate with nvm_cell_new(), free with
 * nvm_free(). The program may read `value`; the other members are private. (In-Cache-Line
 * Logging.) */
struct nvm_cell {
    long value, old;
    unsigned long epoch;
    unsigned long unused;
};
/* Allocates a cell from the heap. NULL with errno ENOMEM: the heap is full. */
struct nvm_cell *nvm_cell_new(long value);
/* Changes the value, as part of the section, or of the epoch of a thread that takes part in
 * restart points. Only one thread at a time may change a cell (with a lock of the program). */
void nvm_cell_set(struct nvm_cell *cell, long value);

#ifdef __cplusplus
}
#endif

#endif /* NVMOVE_RESTART_H */
