/*===- start.c - the pool that the environment names ------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "base/engine.h"
#include "base/error.h"
#include "base/pool.h"
#include "medium/huge.h"
#include "medium/media.h"
#include "medium/medium.h"
#include "named/statics.h"
#include "open/addresses.h"
#include "open/relocate.h"
#include "reachability/collect.h"
#include "remote/ask.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void give_up(void)
{
    nvmi_note("error: %s", nvm_errormsg());
    exit(NVMI_EXIT_START);
}

static bool is_set(const char *name)
{
    const char *text = getenv(name);
    return text && *text && strcmp(text, "0") != 0;
}

static int parse_size(const char *name, unsigned long *size_bytes)
{
    const char *text = getenv(name);
    if (!text || !*text)
        return 0;
    static const char units[] = "KMGT";
    char *end;
    errno = 0;
    unsigned long number = strtoul(text, &end, 10);
    const char *unit = *end ? strchr(units, *end & ~0x20) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    if (unit)
        end++;
    if (*end == 'i' && unit)
        end++;
    if ((*end == 'B' || *end == 'b') && end != text)
        end++;
    if (errno || end == text || *end || *text == '-' || number == 0 || number > ~0ul >> shift)
        return nvmi_fail(EINVAL, "size", "%s=%.50s is not a size such as 512M or 4G", name, text);
    *size_bytes = number << shift;
    return 0;
}

/* 0 in the environment: each section commits. */
static int parse_epoch(const char *text, int *epoch_ms)
{
    char *end;
    if (!text || !*text)
        return 0;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (errno || end == text || *end || number < 0 || number > 3600000)
        return nvmi_fail(EINVAL, "epoch", "NVM_EPOCH_MS=%.50s is not a number of milliseconds",
                         text);
    *epoch_ms = number ? (int)number : -1;
    return 0;
}

/* The pool that the environment names; moved, if it allows that, when its address is
 * taken. */
static int open_or_move(const char *path, const struct nvm_options *options)
{
    struct nvmi_relocation relocation = {0};
    int error = nvm_open(path, options);
    if (!error || !strstr(nvm_errormsg(), "[address-taken]") || !is_set("NVM_RELOCATE"))
        return error;
    error = nvmi_relocate(path, &relocation);
    if (error)
        return error;
    nvmi_note("pool %s: moved from 0x%llx to 0x%llx", path, (unsigned long long)relocation.from,
              (unsigned long long)relocation.to);
    return nvm_open(path, options);
}

static int ask_for_collection(void)
{
    const char *text = getenv("NVM_GC");
    if (!text || !*text || strcmp(text, "0") == 0)
        return 0;
    bool typed = strcmp(text, "typed") == 0;
    if (!typed && strcmp(text, "1") != 0)
        return nvmi_fail(EINVAL, "collect", "NVM_GC=%.50s is not 0, 1 or typed", text);
    nvmi_collect_ask(typed);
    return 0;
}

static int read_options(struct nvm_options *options)
{
    const char *durability = getenv("NVM_DURABILITY"), *engine = getenv("NVM_ENGINE");
    options->engine = engine && *engine ? engine : NULL;
    options->verify = is_set("NVM_VERIFY");
    int error = parse_epoch(getenv("NVM_EPOCH_MS"), &options->epoch_ms);
    if (error)
        return error;
    if (durability && strcmp(durability, "power") == 0)
        options->power = 1;
    else if (durability && *durability && strcmp(durability, "process") != 0)
        return nvmi_fail(EINVAL, "durability", "NVM_DURABILITY=%.50s is not process or power",
                         durability);
    error = parse_size("NVM_SIZE", &options->size_bytes);
    return error ? error : parse_size("NVM_MAX_SIZE", &options->max_size_bytes);
}

static const char *why(const struct nvmi_pool *pool)
{
    if (!pool->by_default)
        return "";
    return pool->power ? ", the default for NVM_DURABILITY=power because it also works on disks"
                       : ", the default for NVM_DURABILITY=process because it takes the least time "
                         "and memory";
}

static void print_start_line(void)
{
    const struct nvmi_pool *pool = &nvmi_pool;
    char size[64], medium[32], epoch[48] = "", replica[360];
    nvmi_describe_replica(replica, sizeof(replica));
    nvmi_pool_size(pool, size, sizeof(size));
    nvmi_medium_name(pool->fd, medium, sizeof(medium));
    const char *pages = nvmi_page_size_of(pool);
    bool lost = pool->power && pool->engine->durable && nvmi_medium_is_volatile(pool->fd);
    if (nvmi_has_epochs())
        snprintf(epoch, sizeof(epoch), ", one every %llu ms",
                 (unsigned long long)(pool->epoch_ns / 1000000u));
    nvmi_note("pool %s (%s, %s%s%s%s%s%s): engine %s%s%s; %s%s%s%s", pool->path, size, medium,
              pool->dax ? " dax" : "", nvmi_media.name ? ", emulated: " : "",
              nvmi_media.name ? nvmi_media.name : "", pages ? ", " : "", pages ? pages : "",
              pool->engine->name, pool->threaded ? "+thread" : "", why(pool),
              pool->power && !lost ? pool->engine->promise_power : pool->engine->promise_process,
              epoch, lost ? " (this medium does not survive power loss)" : "", replica);
}

void nvm_start(void)
{
    struct nvm_options options = {0};
    const char *path = getenv("NVM_POOL");
    if (!path || !*path || nvmi_pool.open)
        return;
    bool stays = !is_set("NVM_ASLR") && nvmi_take_same_addresses();
    if (read_options(&options) != 0 || open_or_move(path, &options) != 0 ||
        ask_for_collection() != 0)
        give_up();
    print_start_line();
    if (!nvmi_pool.restored && !stays)
        nvmi_statics_warn();
}
