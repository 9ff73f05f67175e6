/*===- engine.h - how a commit becomes durable ------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * An engine is one const struct. The front end announces lines, keeps the heap,
 * the sections and the named things; the engine moves announced lines between
 * the working copy and the medium. Engines are known by name in one table,
 * nvmi_engines[] in engines.c.
 */
#ifndef NVMOVE_SRC_ENGINES_ENGINE_H
#define NVMOVE_SRC_ENGINES_ENGINE_H

#include "pool.h"

struct nvm_engine {
    const char *name;
    /* What a commit survives, for the start-up line. */
    const char *promise_process, *promise_power;
    /* false: nothing is ever written to the pool, stores need no announcement. */
    bool durable;

    /* After the working copy has been mapped and the log's records have been
     * found in order: bring home and working copy to the pool's last commit.
     * 0 or an errno with its message. The pool is as of its last commit at every
     * instant. */
    int (*recover)(struct nvmi_pool *pool);

    /* Makes pool->changes durable at once, or, with power durability on a disk,
     * appended to what wait() waits for. Raises pool->epoch. A crash in the
     * middle leaves the commit before. Called under the section and heap locks;
     * never while a commit is under way. No error: dies with a message when
     * there is no room, with the pool as of the commit before. */
    void (*commit)(struct nvmi_pool *pool);

    /* Waits until all commits so far are on the medium. Any thread. */
    void (*wait)(struct nvmi_pool *pool);

    /* The process is about to let go of the pool: brings home what can be
     * brought. Skipping it loses nothing. */
    void (*settle)(struct nvmi_pool *pool);
};

const struct nvm_engine *nvmi_engine_by_name(const char *name); /* NULL: unknown */
extern const struct nvm_engine *const nvmi_engines[];           /* ends with NULL */

#endif /* NVMOVE_SRC_ENGINES_ENGINE_H */
