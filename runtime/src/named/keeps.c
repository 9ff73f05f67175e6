/*===- keeps.c - scalars whose first value stays ----------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "named/keeps.h"
#include "base/error.h"
#include "base/pool.h"
#include "named/table.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct keep {
    const char *name;
    void *address;
    size_t size_bytes;
};
static struct keep *keeps;
static size_t keep_count, keep_capacity;

static struct keep *find(const char *name)
{
    for (size_t i = 0; i < keep_count; i++)
        if (strcmp(keeps[i].name, name) == 0)
            return &keeps[i];
    return NULL;
}

static int check(const struct keep *keep, const struct nvm_disk_entry *entry)
{
    if (entry->value_bytes == keep->size_bytes)
        return 0;
    return nvmi_fail(ENOEXEC, "pool-layout", "%s: kept %s had %u bytes and now has %zu",
                     nvmi_pool.path, keep->name, entry->value_bytes, keep->size_bytes);
}

/* The pool's value, or the program's if the pool has none yet. */
static void settle(const struct keep *keep)
{
    struct nvm_disk_entry *entry = nvmi_entry_find(NVM_ENTRY_KEEP, keep->name);
    if (entry && check(keep, entry) != 0)
        nvmi_die(NVMI_EXIT_START, "pool-layout", "%s: kept %s has another size", nvmi_pool.path,
                 keep->name);
    if (entry) {
        memcpy(keep->address, nvmi_entry_value(entry), keep->size_bytes);
        return;
    }
    entry = nvmi_entry_add(NVM_ENTRY_KEEP, keep->name, 0, 0, (struct nvmi_fields){0},
                           (uint32_t)keep->size_bytes);
    void *value = nvmi_entry_value(entry);
    memcpy(nvm_store(value, keep->size_bytes), keep->address, keep->size_bytes);
}

void nvm_keep(const char *name, const volatile void *address, unsigned long size_bytes)
{
    struct keep *known = find(name), keep = {name, (void *)address, size_bytes};
    if (!known) {
        keeps = nvmi_grow(keeps, keep_count, &keep_capacity, sizeof(*keeps), "kept values");
        known = &keeps[keep_count++];
        *known = keep;
    } else if (known->address != address || known->size_bytes != size_bytes)
        nvmi_die(NVMI_EXIT_START, "keep-twice", "two variables are kept as %s", name);
    if (nvmi_pool.open) {
        pthread_mutex_lock(&nvmi_heap_lock);
        settle(known);
        pthread_mutex_unlock(&nvmi_heap_lock);
    }
}

uint64_t nvmi_keeps_bytes(void)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < keep_count; i++)
        sum += nvmi_entry_bytes(keeps[i].name, (uint32_t)keeps[i].size_bytes);
    return sum;
}

int nvmi_keeps_check(void)
{
    int error = 0;
    for (size_t i = 0; i < keep_count && !error; i++) {
        const struct nvm_disk_entry *entry = nvmi_entry_find(NVM_ENTRY_KEEP, keeps[i].name);
        if (entry)
            error = check(&keeps[i], entry);
    }
    return error;
}

void nvmi_keeps_enter(void)
{
    for (size_t i = 0; i < keep_count; i++)
        settle(&keeps[i]);
}
