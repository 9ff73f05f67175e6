/*===- nvmove/region.h - named regions, objects with versions ---------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * For new code. Nothing that the rewriter emits is declared here. All of it needs
 * an open pool after nvm_restore().
 *
 * Threads: the functions of regions may be called by any thread at any time; each is a
 * section, or part of the caller's. One object with versions is used by one thread at
 * a time (a lock of the program's): a version is current as soon as it is begun, not
 * when it is committed. Different objects need no lock.
 */
#ifndef NVMOVE_REGION_H
#define NVMOVE_REGION_H

#include "nvm.h"
#include "restart.h"

#ifdef __cplusplus
extern "C" {
#endif

/*===-- Named regions -------------------------------------------------------===*/

/* The region of this name: in every run at the same address with what was
 * committed; all zero when it is made, which is atomic with the section. NULL with
 * errno: ENOMEM the heap is full, or the table of names (some ten thousand regions that
 * are not freed; of a small pool a thousand); EINVAL it has another size, or no pool is open.
 * (The region manager of VerP, nvmmap.) */
void *nvm_region(const char *name, __SIZE_TYPE__ size_bytes);
/* Its block is free with the commit; the name may be used again. ENOENT. */
int nvm_region_free(const char *name);

/*===-- Objects with versions -----------------------------------------------===*/

/* An object of which the pool keeps 2 or 3 versions beside each other. A new one is
 * written over the oldest, so nothing has to be saved before and nothing is
 * copied; it counts when its number does, with the commit. The number is a cell:
 * under the engine incll changing it needs neither flush nor fence. (Interleaved
 * updates of memory-style storage; the cell is its commit bit.) Free with
 * nvm_versioned_free(). */
struct nvm_versioned {
    unsigned long size_bytes, versions;
    struct nvm_cell *current;
    unsigned long unused;
};
/* The first version is zero. NULL with errno EINVAL or ENOMEM. */
struct nvm_versioned *nvm_versioned_new(struct nvm_type *type, __SIZE_TYPE__ size_bytes,
                                        unsigned versions);
/* The current version. */
const void *nvm_versioned_read(const struct nvm_versioned *object);
/* The one before. With 2 versions it is the one that the next write takes: after a crash
 * that cut one, or the end of its process, it may hold parts of both. With 3 it is whole. */
const void *nvm_versioned_previous(const struct nvm_versioned *object);
/* Makes a new version current and gives it back to be filled completely, without
 * hooks, before the section ends: it holds some old bytes. A second call before the
 * commit gives back the same. Only in a section: else the process ends by abort(), with
 * a message. */
void *nvm_versioned_write(struct nvm_versioned *object);
void nvm_versioned_free(struct nvm_versioned *object);

/*===-- Objects with versions that a second thread makes durable ------------===*/

/* `count` objects of one size under a name, with 2 or 3 versions of each, which the program
 * writes in place and a second thread flushes and commits. What is written up to
 * nvm_interleaved_commit() counts as a whole or not at all, and in this order; after a crash
 * what the thread had not finished is lost, and nothing is torn. (Memory-style storage with
 * its persistence thread.) These commits are their own: they have nothing to do with sections,
 * and what a section writes elsewhere is not part of them.
 *
 * The thread begins when NVM_THREAD_THRESHOLD (0 to 1, 0.6 when not set) of the room for changed
 * objects is filled, which is for half of all, at most 65536; when all is filled, the program
 * waits. With 2 versions a write waits, too, while the thread is at the same object's other one.
 *
 * Sets are opened and closed outside of sections, behind nvm_ready(); one thread at a time uses
 * one. A forked child has a private copy. */
struct nvm_interleaved;
/* NULL with errno: EINVAL no pool is open, or its engine has a working copy, or a replica or
 * NVM_VERIFY wants to be told of each store, or what there is under this name is another kind of
 * set; ENOMEM. All bytes are zero when the set is made. */
struct nvm_interleaved *nvm_interleaved_open(const char *name, unsigned count,
                                             __SIZE_TYPE__ size_bytes, unsigned versions);
/* What was written last, whether durable or not. */
const void *nvm_interleaved_read(const struct nvm_interleaved *set, unsigned object);
/* A version to be filled completely; it holds some old bytes. It may be the version that
 * nvm_interleaved_read() gave back before, if that is not durable. */
void *nvm_interleaved_write(struct nvm_interleaved *set, unsigned object);
void nvm_interleaved_commit(struct nvm_interleaved *set);
/* Commits, and comes back when all is durable. */
void nvm_interleaved_wait(struct nvm_interleaved *set);
/* Makes durable what is committed; so do nvm_close() and exit(). If writes without their
 * nvm_interleaved_commit() are left, what goes with them is lost as in a crash. */
void nvm_interleaved_close(struct nvm_interleaved *set);

#ifdef __cplusplus
}
#endif

#endif /* NVMOVE_REGION_H */
