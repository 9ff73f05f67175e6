/*===- ask.c - which replica, and what it is to do --------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "remote/ask.h"
#include "base/engine.h"
#include "base/error.h"
#include "engines/engines.h"
#include "remote/attach.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_TIMEOUT_MS 5000
#define MOST_TIMEOUT_MS 3600000

/* One of two words; the first is the default. */
static int read_choice(const char *name, const char *first, const char *second, bool *is_second)
{
    const char *text = getenv(name);
    *is_second = text && strcmp(text, second) == 0;
    if (!text || !*text || *is_second || strcmp(text, first) == 0)
        return 0;
    return nvmi_fail(EINVAL, "replica", "%s=%.50s is neither %s nor %s", name, text, first, second);
}

static int read_timeout(int *timeout_ms)
{
    const char *text = getenv("NVM_REPLICA_TIMEOUT_MS");
    char *end;
    *timeout_ms = DEFAULT_TIMEOUT_MS;
    if (!text || !*text)
        return 0;
    long number = strtol(text, &end, 10);
    if (end == text || *end || number < 10 || number > MOST_TIMEOUT_MS)
        return nvmi_fail(EINVAL, "replica",
                         "NVM_REPLICA_TIMEOUT_MS=%.50s is no number of milliseconds from 10 to %d",
                         text, MOST_TIMEOUT_MS);
    *timeout_ms = (int)number;
    return 0;
}

static int read_key(struct nvmi_replica *r)
{
    const char *path = getenv("NVM_REPLICA_KEY");
    r->key.size_bytes = 0;
    if (path && *path)
        return nvmi_key_read(path, r->key.bytes, &r->key.size_bytes);
    if (r->address.is_loopback)
        return 0;
    return nvmi_fail(EINVAL, "replica-key",
                     "NVM_REPLICA=%.200s is another machine: NVM_REPLICA_KEY must name a key",
                     r->name);
}

int nvmi_ask_for_replica(void)
{
    struct nvmi_replica *r = &nvmi_replica;
    const char *text = getenv("NVM_REPLICA");
    int error;
    r->wanted = false;
    if (!text || !*text)
        return 0;
    snprintf(r->name, sizeof(r->name), "%s", text);
    if ((error = nvmi_address_parse("NVM_REPLICA", text, &r->address)) ||
        (error = read_choice("NVM_REPLICA_MODE", "sync", "async", &r->async)) ||
        (error = read_choice("NVM_REPLICA_PARTITION", "wait", "go-on", &r->goes_on)) ||
        (error = read_timeout(&r->timeout_ms)) || (error = read_key(r)))
        return error;
    if (!(r->fabric = nvmi_fabric_load()))
        return ENOSYS;
    r->link = (struct nvmi_link){.fabric = r->fabric, .fd = -1, .timeout_ms = r->timeout_ms};
    r->wanted = true;
    return 0;
}

int nvmi_ask_replica(struct nvmi_pool *pool)
{
    struct nvmi_replica *r = &nvmi_replica;
    if (!r->wanted)
        return 0;
    if (!pool->engine->can_replicate)
        return nvmi_fail(EINVAL, "replica-engine", "%s: %s", pool->path,
                         NVMI_CANNOT(pool->engine, can_replicate, "have a replica"));
    r->base = r->last_epoch = r->confirmed = pool->epoch;
    int error = nvmi_attach_probe(pool);
    if (!error || error == EPERM || error == EACCES)
        return error;
    nvmi_note("pool %s: %s", pool->path, nvm_errormsg());
    return 0;
}

void nvmi_describe_replica(char *text, unsigned text_bytes)
{
    const struct nvmi_replica *r = &nvmi_replica;
    *text = 0;
    if (r->wanted)
        snprintf(text, text_bytes, "; replica %s, %s, %s", r->name, r->async ? "async" : "sync",
                 r->goes_on ? "goes on without it" : "waits for it");
}
