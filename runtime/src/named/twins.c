/*===- twins.c - static objects that persistent objects point to ------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "named/twins.h"
#include "base/error.h"
#include "base/pool.h"
#include "heap/state.h"
#include "named/table.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct twin {
    const char *name;
    unsigned char *address;
    size_t size_bytes;
    unsigned char *slot; /* NULL while no pool is open */
};
static struct twin *twins; /* sorted by address while a pool is open */
static size_t twin_count, twin_capacity;

void nvm_register_twin(const char *name, const volatile void *address, unsigned long size_bytes)
{
    nvmi_register_early("twin", name);
    for (size_t i = 0; i < twin_count; i++)
        if (strcmp(twins[i].name, name) == 0)
            nvmi_die(NVMI_EXIT_START, "twin-twice", "twin %s is registered twice", name);
    twins = nvmi_grow(twins, twin_count, &twin_capacity, sizeof(*twins), "the twins");
    twins[twin_count++] = (struct twin){name, (unsigned char *)address, size_bytes, NULL};
}

/* Room to grow: objects in the pool hold the slot's address, so it cannot move. */
static uint64_t slot_bytes(size_t size_bytes)
{
    return nvmi_line_up(2 * size_bytes);
}

uint64_t nvmi_twins_bytes(void)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < twin_count; i++)
        sum += slot_bytes(twins[i].size_bytes);
    return sum;
}

int nvmi_twins_check(void)
{
    for (size_t i = 0; i < twin_count; i++) {
        const struct nvm_disk_entry *e = nvmi_entry_find(NVM_ENTRY_TWIN, twins[i].name);
        if (e && twins[i].size_bytes > e->b)
            return nvmi_fail(ENOEXEC, "pool-layout",
                             "%s: static %s has grown to %zu bytes, but has only %llu in the pool",
                             nvmi_pool.path, twins[i].name, twins[i].size_bytes,
                             (unsigned long long)e->b);
    }
    for (struct nvm_disk_entry *e = nvmi_entry_first(); e; e = nvmi_entry_next(e)) {
        bool known = e->kind != NVM_ENTRY_TWIN;
        for (size_t i = 0; i < twin_count && !known; i++)
            known = strcmp(twins[i].name, nvmi_entry_name(e)) == 0;
        if (!known)
            return nvmi_fail(ENOEXEC, "pool-layout",
                             "%s: objects may point to static %s, which this program does not have",
                             nvmi_pool.path, nvmi_entry_name(e));
    }
    return 0;
}

static struct nvm_disk_entry *new_slot(const struct twin *twin)
{
    struct nvm_disk_heap *header = nvmi_heap_header();
    uint64_t bytes = slot_bytes(twin->size_bytes), used = header->twin_used_bytes;
    if (bytes > nvmi_pool.header.twin_size_bytes - used)
        nvmi_die(NVMI_EXIT_FULL, "pool-full", "%s: no space for the twin of %s", nvmi_pool.path,
                 twin->name);
    nvmi_heap_change()->twin_used_bytes = used + bytes;
    return nvmi_entry_add(NVM_ENTRY_TWIN, twin->name, nvmi_pool.header.twin_offset + used, bytes,
                          (struct nvmi_fields){0}, 0);
}

static int by_address(const void *a, const void *b)
{
    const struct twin *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

/* Not announced: twins are the program's, at every start anew. */
void nvmi_twins_enter(void)
{
    for (size_t i = 0; i < twin_count; i++) {
        struct nvm_disk_entry *e = nvmi_entry_find(NVM_ENTRY_TWIN, twins[i].name);
        if (!e)
            e = new_slot(&twins[i]);
        twins[i].slot = nvmi_pool.heap + e->a;
        memset(twins[i].slot, 0, e->b);
        memcpy(twins[i].slot, twins[i].address, twins[i].size_bytes);
    }
    if (twin_count)
        qsort(twins, twin_count, sizeof(*twins), by_address);
}

void nvmi_twins_close(void)
{
    for (size_t i = 0; i < twin_count; i++)
        twins[i].slot = NULL;
}

void *nvm_twin_of(const volatile void *address)
{
    const unsigned char *p = (const unsigned char *)address;
    size_t low = 0, high = nvmi_pool.open ? twin_count : 0;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (twins[middle].address <= p)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || (size_t)(p - twins[low - 1].address) >= twins[low - 1].size_bytes)
        return (void *)address;
    return twins[low - 1].slot + (p - twins[low - 1].address);
}
