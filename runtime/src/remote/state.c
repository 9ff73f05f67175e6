/*===- state.c - what a primary knows of its replica -----------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "remote/state.h"
#include "base/error.h"

struct nvmi_replica nvmi_replica = {.link = {.fd = -1}};
pthread_mutex_t nvmi_replica_lock = PTHREAD_MUTEX_INITIALIZER;

bool nvmi_has_replica(void)
{
    return nvmi_replica.wanted;
}

void nvmi_replica_say_away(const struct nvmi_pool *pool)
{
    struct nvmi_replica *r = &nvmi_replica;
    if (r->told)
        return;
    r->told = true;
    nvmi_note("pool %s: replica %s has commit %llu of %llu; %s: %s", pool->path, r->name,
              (unsigned long long)r->confirmed, (unsigned long long)pool->epoch,
              r->goes_on ? "continuing without it" : "waiting for it", nvm_errormsg());
}

void nvmi_replica_lost(const struct nvmi_pool *pool)
{
    nvmi_link_close(&nvmi_replica.link);
    nvmi_replica.state = NVMI_REPLICA_AWAY;
    nvmi_replica_say_away(pool);
}

void nvmi_replica_is_up(const struct nvmi_pool *pool)
{
    struct nvmi_replica *r = &nvmi_replica;
    r->state = NVMI_REPLICA_UP;
    r->now = false;
    if (r->told)
        nvmi_note("pool %s: replica %s is connected again, with commit %llu", pool->path, r->name,
                  (unsigned long long)pool->epoch);
    r->told = false;
}
