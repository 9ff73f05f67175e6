/*===- runs.c - which process made which commits ----------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "remote/runs.h"
#include "base/engine.h"
#include "base/error.h"
#include <errno.h>
#include <string.h>
#include <sys/random.h>

void nvmi_runs_enter(struct nvmi_pool *pool, bool has_replica)
{
    struct nvm_disk_runs *runs = nvmi_runs_of(pool->heap);
    uint64_t id;
    if (!pool->engine->durable || (!has_replica && runs->magic != NVM_RUNS_MAGIC))
        return;
    if (getrandom(&id, sizeof(id), 0) != sizeof(id))
        nvmi_die(NVMI_EXIT_START, "pool-io", "%s: no random number: %s", pool->path,
                 strerror(errno));
    NVM(runs->run[runs->count % NVM_RUNS]) =
        (struct nvm_disk_run){.id = id, .first_epoch = pool->epoch + 1};
    NVM(runs->magic) = NVM_RUNS_MAGIC;
    NVM(runs->count) = runs->count + 1;
}

const struct nvm_disk_run *nvmi_runs_last(const struct nvm_disk_runs *runs)
{
    return runs->magic == NVM_RUNS_MAGIC && runs->count ? &runs->run[(runs->count - 1) % NVM_RUNS]
                                                        : NULL;
}

bool nvmi_runs_hold(const struct nvm_disk_runs *runs, const struct nvm_disk_run *last,
                    uint64_t epoch)
{
    if (runs->magic != NVM_RUNS_MAGIC)
        return false;
    uint64_t next_epoch = UINT64_MAX; /* where the run after it begins */
    for (uint64_t n = runs->count; n > 0 && runs->count - n < NVM_RUNS; n--) {
        const struct nvm_disk_run *run = &runs->run[(n - 1) % NVM_RUNS];
        if (run->id == last->id && run->first_epoch == last->first_epoch)
            return epoch + 1 >= run->first_epoch && epoch < next_epoch;
        next_epoch = run->first_epoch;
    }
    return false;
}
