/*===- engines.c - the table of engines -------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "engines/engines.h"
#include "base/error.h"
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* One line for each. In this order messages list them, and tests and benchmarks run them. */
#define ENGINES(ENGINE)                                                                            \
    ENGINE(redo)                                                                                   \
    ENGINE(none)                                                                                   \
    ENGINE(flush)                                                                                  \
    ENGINE(tx)                                                                                     \
    ENGINE(undo)                                                                                   \
    ENGINE(incll)                                                                                  \
    ENGINE(dual)                                                                                   \
    ENGINE(versions)                                                                               \
    ENGINE(checkpoint)

#define DECLARE(name) extern const struct nvm_engine nvmi_engine_##name;
#define ENTRY(name) &nvmi_engine_##name,
ENGINES(DECLARE)
const struct nvm_engine *const nvmi_engines[] = {ENGINES(ENTRY) NULL};

const struct nvm_engine *nvmi_engine_by_name(const char *name)
{
    for (const struct nvm_engine *const *e = nvmi_engines; *e; e++)
        if (strcmp((*e)->name, name) == 0)
            return *e;
    return NULL;
}

const struct nvm_engine *nvmi_engine_by_number(uint32_t number)
{
    for (const struct nvm_engine *const *e = nvmi_engines; *e; e++)
        if ((*e)->number == number && (*e)->durable)
            return *e;
    return NULL;
}

/* In place a line is written once, and memory holds it once; but a page cache may write what a
 * section has half done, so against a loss of power on a disk the program's copy is apart. */
const struct nvm_engine *nvmi_default_engine(bool power)
{
    return power ? &nvmi_engine_redo : &nvmi_engine_undo;
}

const struct nvm_engine *nvmi_engine_of_replicas(void)
{
    const struct nvm_engine *const *e = nvmi_engines;
    while (!(*e)->holds_replica)
        e++;
    return *e;
}

/* Durable engines with this capability; gives back how many. */
static unsigned find(size_t capability, const char *name[], unsigned most)
{
    unsigned count = 0;
    for (const struct nvm_engine *const *e = nvmi_engines; *e && count < most; e++)
        if ((*e)->durable && nvmi_engine_can(*e, capability))
            name[count++] = (*e)->name;
    return count;
}

const char *nvmi_engine_cannot(const struct nvm_engine *engine, size_t capability, const char *what)
{
    static _Thread_local char text[512];
    const char *name[32];
    unsigned count = find(capability, name, sizeof(name) / sizeof(name[0]));
    assert(!nvmi_engine_can(engine, capability));
    int n = snprintf(text, sizeof(text), "engine %s cannot %s", engine->name, what);
    for (unsigned i = 0; i < count && (size_t)n < sizeof(text); i++) {
        const char *before = i == 0 ? ": " : i + 1 < count ? ", " : " and ";
        n += snprintf(text + n, sizeof(text) - (size_t)n, "%s%s%s", before, name[i],
                      i + 1 < count ? "" : " can");
    }
    return text;
}

int nvmi_engine_check_medium(const struct nvm_engine *engine, const char *path, bool dax)
{
    if (dax || engine->power_on_disk)
        return 0;
    return nvmi_fail(EINVAL, "engine-medium", "%s: %s", path,
                     NVMI_CANNOT(engine, power_on_disk,
                                 "survive a loss of power without DAX, since a page cache may "
                                 "write what the program has stored at any time"));
}
