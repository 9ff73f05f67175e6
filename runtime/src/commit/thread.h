/*===- thread.h - commits written by a second thread ------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * NVM_ENGINE=NAME+thread, for engines with a working copy: the end of a section
 * copies the images of its lines to a queue, a second thread has the engine make
 * them durable. After a crash the pool is as of some commit; what leaves the
 * process still waits for its commit. (Memory-style storage decouples the
 * persistence of data from the program in this way.)
 */
#ifndef NVMOVE_SRC_THREAD_H
#define NVMOVE_SRC_THREAD_H

#include "base/pool.h"

/* NVM_THREAD_THRESHOLD: what part of its room is filled when a second thread begins. 0 or
 * EINVAL [threshold]. */
int nvmi_thread_threshold(double *threshold);

/* Reads NVM_THREAD_THRESHOLD. 0 or an errno with its message. */
int nvmi_thread_open(void);
void nvmi_thread_close(void); /* nothing may be queued */

/* Commits now or later; as the engine's commit(). */
void nvmi_thread_commit(struct nvmi_pool *pool, struct nvmi_changes *changes);
/* Until the engine has committed everything so far. Any thread. */
void nvmi_thread_wait(void);
void nvmi_thread_in_child(void); /* after a fork there is no second thread */

/* The epoch of the last commit that was handed over; pool->epoch may be an earlier one. */
uint64_t nvmi_thread_epoch(void);

#endif /* NVMOVE_SRC_THREAD_H */
