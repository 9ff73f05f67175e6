/*===- nvmove/region.h - named regions, objects with versions ---------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * For new code: the rewriter emits nothing that is declared here. All functions need
 * an open pool after nvm_restore().
 *
 * Threads: any thread may call the functions of regions at any time; each call is a
 * section, or part of the caller's section. Only one thread at a time may use an object
 * with versions (with a lock of the program), because a version is current as soon as
 * it is begun, not when it is committed. Different objects need no common lock.
 */
#ifndef NVMOVE_REGION_H
#define NVMOVE_REGION_H

#include "nvm.h"
#include "restart.h"

#ifdef __cplusplus
extern "C" {
#endif

/*===-- Named regions -------------------------------------------------------===*/

/* Returns the region of this name, which has the same address in every run and the committed
 * contents. A region that does not exist is created, filled with zeros; a crash before the
 * commit of the section undoes that. Returns NULL with errno: ENOMEM: the heap is full, or the
 * table of names is (some ten thousand regions; a thousand in a small pool); EINVAL: the region
 * has another size, or no pool is open. (The region manager of VerP, nvmmap.) */
void *nvm_region(const char *name, __SIZE_TYPE__ size_bytes);
/* Frees the region of this name: its block becomes free with the commit, and the name may be
 * used again. Returns 0, or an errno: ENOENT: there is no such region; EINVAL: no pool is open. */
int nvm_region_free(const char *name);

/*===-- Objects with versions -----------------------------------------------===*/

/* An object of which the pool keeps 2 or 3 versions. A new version overwrites the
 * oldest, so nothing is logged or copied; it becomes valid with the number of the
 * current version, at the commit. The number is a cell: under the engine incll,
 * changing it needs neither flush nor fence. (Interleaved updates of memory-style
 * storage; the cell is its commit bit.) Free with nvm_versioned_free(). */
struct nvm_versioned {
    unsigned long size_bytes, versions;
    struct nvm_cell *current;
    unsigned long unused;
};
/* Allocates an object with 2 or 3 `versions` of size_bytes each; the first version is filled with
 * zeros. Returns NULL with errno: EINVAL: the size or the number is out of range; ENOMEM. */
struct nvm_versioned *nvm_versioned_new(struct nvm_type *type, __SIZE_TYPE__ size_bytes,
                                        unsigned versions);
/* The current version. */
const void *nvm_versioned_read(const struct nvm_versioned *object);
/* The version before the current one. With 2 versions it is the one that the next write
 * overwrites: after a crash or the end of the process during such a write, it may contain parts
 * of both. With 3 versions it is complete. */
const void *nvm_versioned_previous(const struct nvm_versioned *object);
/* Makes a new version current and returns it. The caller must fill it completely, without
 * hooks, before the section ends: it contains old bytes. A second call before the commit
 * returns the same version. Only in a section: otherwise the process ends by abort(), with a
 * message. */
void *nvm_versioned_write(struct nvm_versioned *object);
/* Frees the object with all versions, as nvm_free() does. */
void nvm_versioned_free(struct nvm_versioned *object);

/*===-- Objects with versions that a second thread makes durable ------------===*/

/* A set of `count` objects of one size under a name, each with 2 or 3 versions, which the program
 * writes in place and a second thread flushes and commits. What is written up to an
 * nvm_interleaved_commit() becomes durable as a whole or not at all, and in the order of these
 * commits; a crash loses the commits that the thread has not finished. (Memory-style storage with
 * its persistence thread.) These commits are independent of sections: what a section writes
 * elsewhere is not part of them.
 *
 * There is space for half of all objects as changed ones, at most 65536. The thread begins when
 * NVM_THREAD_THRESHOLD (0 to 1, 0.6 if not set) of that is filled; when all of it is filled, the
 * program waits. With 2 versions, a write also waits while the thread flushes the other version
 * of the same object.
 *
 * Sets are opened and closed outside of sections, after nvm_ready(); only one thread at a time may
 * use a set. A forked child has a private copy. */
struct nvm_interleaved;
/* Opens the set of this name, or creates it, filled with zeros. Returns NULL with errno: EINVAL:
 * no pool is open; its engine has a working copy; a replica or NVM_VERIFY needs the announcement
 * of each store; the set of this name has another size, count or number of versions; or one of
 * these is out of range; ENOMEM. */
struct nvm_interleaved *nvm_interleaved_open(const char *name, unsigned count,
                                             __SIZE_TYPE__ size_bytes, unsigned versions);
/* The version that was written last, whether durable or not. */
const void *nvm_interleaved_read(const struct nvm_interleaved *set, unsigned object);
/* Returns a version that the caller must fill completely; it contains old bytes. It may be the
 * version that nvm_interleaved_read() returned before, if that is not durable. */
void *nvm_interleaved_write(struct nvm_interleaved *set, unsigned object);
/* Commits all writes since the last commit, in the order of calls; the second thread makes them
 * durable later. */
void nvm_interleaved_commit(struct nvm_interleaved *set);
/* Commits all writes, and returns when they are durable. */
void nvm_interleaved_wait(struct nvm_interleaved *set);
/* Makes durable what is committed, and closes the set; nvm_close() and exit() do so as well.
 * Writes without an nvm_interleaved_commit() are lost, as in a crash. */
void nvm_interleaved_close(struct nvm_interleaved *set);

#ifdef __cplusplus
}
#endif

#endif /* NVMOVE_REGION_H */
