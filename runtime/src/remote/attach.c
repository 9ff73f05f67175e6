/*===- attach.c - a replica is reached -------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "remote/attach.h"
#include "base/clock.h"
#include "base/error.h"
#include "hook/lists.h"
#include "remote/pages.h"
#include "remote/ring.h"
#include "remote/runs.h"
#include "threads/side_by_side.h"
#include <errno.h>
#include <string.h>

#define RETRY_MS 50
#define BUSY_MS 2000 /* the primary that died a moment ago may still count as one */

static struct nvmi_hello hello(struct nvmi_pool *pool, bool only_asks)
{
    struct nvmi_hello h = {.only_asks = only_asks, .epoch = pool->epoch, .header = pool->header};
    memcpy(&h.runs, nvmi_runs_of(pool->heap), sizeof(h.runs));
    if (h.runs.magic != NVM_RUNS_MAGIC)
        memset(&h.runs, 0, sizeof(h.runs));
    return h;
}

int nvmi_attach_probe(struct nvmi_pool *pool)
{
    struct nvmi_replica *r = &nvmi_replica;
    int error = 0;
    /* The one that died a moment ago may still count as the replica's primary. */
    for (uint64_t since_ms = nvmi_now_ms(); nvmi_now_ms() - since_ms < 2000;
         nvmi_pause_ms(RETRY_MS)) {
        struct nvmi_hello h = hello(pool, true);
        error = nvmi_link_open(&r->link, &r->address, &r->key, &h, NULL, 0);
        if (error != EPERM || !strstr(nvm_errormsg(), "[replica-busy]"))
            break;
    }
    return error;
}

int nvmi_attach_begin(struct nvmi_pool *pool, bool whole_now)
{
    struct nvmi_replica *r = &nvmi_replica;
    const struct nvmi_welcome *peer = &r->link.peer;
    bool known = peer->holds && peer->epoch >= r->base;
    if (known && !r->spilled) {
        nvmi_ring_rewind(peer->epoch);
        int error = nvmi_link_records(&r->link, nvmi_ring_first_epoch(pool));
        if (!error)
            error = nvmi_ring_send();
        if (!error)
            nvmi_replica_is_up(pool);
        return error;
    }
    nvmi_ring_spill(pool);
    int error = nvmi_pages_begin(pool, !known, !whole_now);
    if (!error && whole_now)
        error = nvmi_pages_finish(pool);
    if (error)
        r->state = NVMI_REPLICA_AWAY;
    else if (whole_now)
        nvmi_replica_is_up(pool);
    return error;
}

int nvmi_attach_reach(struct nvmi_pool *pool, struct nvmi_link *link)
{
    struct nvmi_replica *r = &nvmi_replica;
    struct nvmi_hello h = hello(pool, false);
    return nvmi_link_open(link, &r->address, &r->key, &h, r->ring, NVMI_RING_BYTES);
}

int nvmi_attach(struct nvmi_pool *pool, bool whole_now)
{
    int error = nvmi_attach_reach(pool, &nvmi_replica.link);
    if (!error)
        error = nvmi_attach_begin(pool, whole_now);
    if (error)
        nvmi_link_close(&nvmi_replica.link);
    return error;
}

bool nvmi_attach_is_quiet(const struct nvmi_pool *pool, bool *locked)
{
    *locked = false;
    if (pool->threaded || pool->start_up || nvmi_restart_members())
        return false;
    if (nvmi_depth == 0 && !nvmi_sections_trylock())
        return false;
    *locked = nvmi_depth == 0;
    if (!nvmi_hook_is_ahead() && !__atomic_load_n(&pool->orphans.count, __ATOMIC_RELAXED))
        return true;
    if (*locked)
        nvmi_sections_unlock();
    *locked = false;
    return false;
}
