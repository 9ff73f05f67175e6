/*===- by_type.c - what objects of each type take ---------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "base/error.h"
#include "base/pool.h"
#include "heap/classes.h"
#include "heap/large.h"
#include "heap/state.h"
#include "named/table.h"
#include "pool_tool.h"
#include <errno.h>
#include <stdlib.h>

static uint64_t blocks_of_slab(uint32_t page)
{
    const uint64_t *bits =
        (const uint64_t *)(void *)(nvmi_heap.bitmaps + (size_t)page * NVM_BITMAP_BYTES);
    uint32_t all = nvmi_slab_capacity(nvmi_heap.directory[page].size_class);
    uint64_t count = 0;
    for (uint32_t i = 0; i < all; i += 64) {
        uint64_t within = all - i < 64 ? ((uint64_t)1 << (all - i)) - 1 : ~(uint64_t)0;
        count += (uint64_t)__builtin_popcountll(bits[i / 64] & within);
    }
    return count;
}

static void count_page(struct pool_type_use *use, uint32_t page)
{
    const struct nvm_disk_page *e = &nvmi_heap.directory[page];
    if (e->state == NVM_PAGE_SLAB) {
        uint64_t objects = blocks_of_slab(page);
        use[e->type].objects += objects;
        use[e->type].bytes += objects * nvmi_class_bytes(e->size_class);
        use[e->type].pages++;
    } else if (e->state == NVM_PAGE_LARGE) {
        use[e->type].objects++;
        use[e->type].bytes += nvmi_large_bytes(e);
        use[e->type].pages += e->run;
    }
}

struct pool_type_use *pool_use_by_type(void)
{
    struct pool_type_use *use = calloc(NVMI_MAX_TYPES + 1, sizeof(*use));
    if (!use) {
        nvmi_fail(ENOMEM, "no-memory", "no memory for the table of types");
        return NULL;
    }
    for (struct nvm_disk_entry *e = nvmi_entry_first(); e; e = nvmi_entry_next(e))
        if (e->kind == NVM_ENTRY_TYPE && e->a <= NVMI_MAX_TYPES)
            use[e->a].name = nvmi_entry_name(e);
    for (uint32_t page = 0; page < nvmi_pool.backed_pages; page++)
        count_page(use, page);
    return use;
}

struct pool_type_use pool_use_of_all(const struct pool_type_use *use)
{
    struct pool_type_use sum = {.name = "all"};
    for (unsigned i = 0; i <= NVMI_MAX_TYPES; i++) {
        sum.objects += use[i].objects;
        sum.bytes += use[i].bytes;
        sum.pages += use[i].pages;
    }
    return sum;
}
