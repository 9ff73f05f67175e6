/*===- runs.h - which process made which commits ----------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_REMOTE_RUNS_H
#define NVMOVE_SRC_REMOTE_RUNS_H

#include "base/pool.h"

static inline struct nvm_disk_runs *nvmi_runs_of(unsigned char *arena)
{
    return (struct nvm_disk_runs *)(void *)(arena + sizeof(struct nvm_disk_heap));
}

/* In the start-up section: what this process commits is a new run, if the pool has, or
 * gets, a replica. */
void nvmi_runs_enter(struct nvmi_pool *pool, bool has_replica);

/* Is a pool whose last run is `last`, as of `epoch`, an earlier state of the one that has these
 * runs? False also when it is too old to be known. */
bool nvmi_runs_hold(const struct nvm_disk_runs *runs, const struct nvm_disk_run *last,
                    uint64_t epoch);
/* NULL: there is none. */
const struct nvm_disk_run *nvmi_runs_last(const struct nvm_disk_runs *runs);

#endif /* NVMOVE_SRC_REMOTE_RUNS_H */
