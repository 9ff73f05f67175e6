/*===- region.c - named regions ---------------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "nvmove/region.h"
#include "base/error.h"
#include "base/pool.h"
#include "heap/arena.h"
#include "heap/heap.h"
#include "named/table.h"
#include "named/types.h"
#include <errno.h>
#include <string.h>

/* What an entry's value is. Entries are never removed: a name that was freed keeps its
 * entry until another one needs it. */
struct value {
    void *address; /* NULL: there is no region now */
    uint64_t size_bytes;
};

static struct value value_of(struct nvm_disk_entry *entry)
{
    struct value v;
    memcpy(&v, nvmi_entry_value(entry), sizeof(v));
    return v;
}

static void set_value(struct nvm_disk_entry *entry, struct value v)
{
    memcpy(nvm_store(nvmi_entry_value(entry), sizeof(v)), &v, sizeof(v));
}

/* An entry of a region that was freed, with room for this name. */
static struct nvm_disk_entry *take_free_entry(const char *name)
{
    for (struct nvm_disk_entry *e = nvmi_entry_first(); e; e = nvmi_entry_next(e))
        if (e->kind == NVM_ENTRY_REGION && !value_of(e).address && nvmi_entry_rename(e, name))
            return e;
    return NULL;
}

/* Regions leave some of the table to what later programs register. */
static bool has_room(const char *name)
{
    uint64_t spare = nvmi_pool.header.table_size_bytes / 8;
    return strlen(name) < UINT16_MAX &&
           nvmi_entry_bytes(name, sizeof(struct value)) + spare <= nvmi_entry_room();
}

static void *make(struct nvm_disk_entry *entry, const char *name, size_t size_bytes)
{
    void *p = nvmi_heap_alloc(nvmi_type_id(&nvm_type_bytes), size_bytes, NVMI_ZERO_ALL);
    if (!p) {
        errno = ENOMEM;
        return NULL;
    }
    if (!entry)
        entry = take_free_entry(name);
    if (!entry && has_room(name))
        entry = nvmi_entry_add(NVM_ENTRY_REGION, name, 0, 0, (struct nvmi_fields){0},
                               sizeof(struct value));
    if (!entry) {
        nvmi_heap_free(p);
        errno = nvmi_fail(ENOMEM, "pool-full", "no room in the tables for region %.60s", name);
        return NULL;
    }
    set_value(entry, (struct value){p, size_bytes});
    return p;
}

void *nvm_region(const char *name, size_t size_bytes)
{
    void *p = NULL;
    if (!nvmi_pool.open || size_bytes == 0 || size_bytes > PTRDIFF_MAX) {
        errno = nvmi_fail(EINVAL, "region", "region %.60s: no pool is open, or no such size", name);
        return NULL;
    }
    nvm_begin(); /* the block and its name become durable together */
    nvmi_heap_lock_all();
    struct nvm_disk_entry *entry = nvmi_entry_find(NVM_ENTRY_REGION, name);
    struct value v = entry ? value_of(entry) : (struct value){NULL, 0};
    if (!v.address)
        p = make(entry, name, size_bytes);
    else if (v.size_bytes == size_bytes)
        p = v.address;
    else
        errno = nvmi_fail(EINVAL, "region", "region %.60s has %llu bytes, not %zu", name,
                          (unsigned long long)v.size_bytes, size_bytes);
    int error = errno;
    nvmi_heap_unlock_all();
    nvm_end();
    errno = error;
    return p;
}

int nvm_region_free(const char *name)
{
    if (!nvmi_pool.open)
        return nvmi_fail(EINVAL, "region", "no pool is open");
    nvm_begin();
    nvmi_heap_lock_all();
    struct nvm_disk_entry *entry = nvmi_entry_find(NVM_ENTRY_REGION, name);
    struct value v = entry ? value_of(entry) : (struct value){NULL, 0};
    if (v.address) {
        nvmi_heap_free(v.address);
        set_value(entry, (struct value){NULL, 0});
    }
    nvmi_heap_unlock_all();
    nvm_end();
    return v.address ? 0 : nvmi_fail(ENOENT, "region", "there is no region %.60s", name);
}
