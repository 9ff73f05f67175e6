/*===- engine.h - how a commit becomes durable ------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * An engine is one const struct. The front end announces lines, keeps the heap,
 * the sections and the named things; the engine moves announced lines between
 * the program's copy and the medium. Engines are known by name and number in one
 * table, nvmi_engines[] in engines.c. docs/engines.md says when to choose which.
 *
 *   working copy (none, redo, dual, checkpoint)   the program writes to private
 *       pages; the medium changes only when the engine writes to it
 *   direct (flush, tx, undo, versions, incll)     the program writes to the
 *       medium; the engine saves what was there before
 */
#ifndef NVMOVE_SRC_BASE_ENGINE_H
#define NVMOVE_SRC_BASE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nvmi_pool;
struct nvmi_changes;
struct nvmi_logged_word;

struct nvm_engine {
    const char *name;
    uint32_t number; /* in the header of a pool; never given to another engine */
    /* What a commit survives, for the start-up line. */
    const char *promise_process, *promise_power;

    /* What the engine can do. Each is a promise of the engine: the front end tests these and
     * never asks which engine it is, refusals list the engines that have the one that is
     * missing (engines/engines.h), and tests run on all that have what they need. */
    bool durable;        /* commits reach the pool; false: nothing is ever written to it */
    bool atomic;         /* a crash leaves all of a section or nothing of it */
    bool goes_back;      /* a crash takes back all stores since the last commit, of any thread,
                            inside and outside of sections */
    bool side_by_side;   /* sections of several threads may run at the same time */
    bool grows;          /* the pool takes blocks of the file as it needs them */
    bool power_on_disk;  /* keeps its promise of power durability without DAX, too */
    bool can_replicate;  /* each commit is announced stores and has a number in the pool, so that
                            another machine can follow */
    bool holds_replica;  /* nvm-replica may write the commits of another machine to its pools */
    bool second_thread;  /* commit() takes images, and may run in a second thread */
    bool keeps_snapshot; /* the home copy is left alone while a snapshot child lives */
    bool cells;          /* rolls struct nvm_cell back by the copy in it */

    /* How it works. */
    bool direct;         /* the program writes to the medium, not to private pages */
    bool hooked;         /* the program announces its stores */
    bool opens_first;    /* libpmemobj rolls back: it opens the pool before anything is read */
    bool by_transaction; /* save() adds to a transaction of the calling thread, which only its
                            sections have: outside of them nothing is taken back */
    int epoch_ms;        /* a commit is taken when this has passed; 0: at each section's
                            end; -1: only when the program asks for it */

    /* Room beside the arena that the engine takes of a new pool; the largest arena
     * that it serves (NULL: any). */
    uint64_t (*area_bytes)(uint64_t pool_bytes);
    uint64_t (*arena_limit)(uint64_t area_bytes);
    /* Of an engine that does not grow: all of the pool is libpmemobj's, which knows one size.
     * One part in so many is left to libpmemobj for logs of its own. */
    unsigned spare_part;
    /* Pages [from, to) are about to get blocks: gives blocks to what of the area goes
     * with them (backing.h). Called from the first page on, in ascending order. 0 or
     * an errno. NULL: nothing goes with them. */
    int (*back)(struct nvmi_pool *pool, uint64_t from, uint64_t to);

    /* Reading only. Finds the last commit and sets pool->epoch. 0, or EINVAL
     * [pool-damaged]. */
    int (*examine)(struct nvmi_pool *pool);
    /* Reading only: brings the first `limit_bytes` of pool->heap, a private mapping
     * of the home copy, to the last commit. 0 or an errno with its message. */
    int (*view)(struct nvmi_pool *pool, uint64_t limit_bytes);

    /* Once the pool has been accepted: brings home and working copy to the pool's
     * last commit. 0 or an errno with its message. The pool is as of its last
     * commit at every instant. */
    int (*recover)(struct nvmi_pool *pool);

    /* Direct engines. save(): these lines are about to be written for the first
     * time since the last commit. each(): these are about to be written, whether
     * or not for the first time. Under the engine lock; NULL: not wanted. With
     * saves_beside save() and log_word() may be called by several threads at once, for
     * different lines, by those that store beside others (threads/side_by_side.h). */
    bool saves_beside;
    void (*save)(struct nvmi_pool *pool, const uint32_t *number, size_t count);
    void (*each)(struct nvmi_pool *pool, uint32_t first, uint32_t last);
    /* The calling thread announces stores, in a section or outside. Before the other two, for
     * each announcement, by engines that have save(), too; under the engine lock. Dies if the
     * engine could not take back what this thread and others store. NULL: it can. */
    void (*by_thread)(struct nvmi_pool *pool);
    /* The same for one word, with a log beside it (hook/logged_words.h), of a line that is not
     * saved: copies it there, unless it has been in this epoch, and has the line flushed by the
     * commit. False: the line must be saved. Under the engine lock; NULL: no such logs. */
    bool (*log_word)(struct nvmi_pool *pool, const struct nvmi_logged_word *word);

    /* Makes the changes durable at once, or, with power durability on a disk,
     * appended to what wait() waits for. Raises pool->epoch. A crash in the
     * middle leaves the commit before. Called under the section, heap and engine
     * locks; never while a commit is under way. No error: dies with a message
     * when there is no room, with the pool as of the commit before. */
    void (*commit)(struct nvmi_pool *pool, struct nvmi_changes *changes);

    /* Is so much room used up that the epoch must end with this section? NULL: never. */
    bool (*presses)(const struct nvmi_pool *pool);

    /* Waits until all commits so far are on the medium. Any thread. */
    void (*wait)(struct nvmi_pool *pool);

    /* The process is about to let go of the pool: brings home what can be
     * brought. Skipping it loses nothing. NULL: there is nothing to bring. */
    void (*settle)(struct nvmi_pool *pool);
};

#endif /* NVMOVE_SRC_BASE_ENGINE_H */
