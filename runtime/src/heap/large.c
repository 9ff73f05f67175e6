/*===- large.c - blocks of whole pages --------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "heap/large.h"
#include "base/engine.h"
#include "base/pool.h"
#include "heap/classes.h"
#include "heap/directory.h"
#include "heap/state.h"
#include "hook/hook.h"
#include <string.h>

#define UNIT 16u

size_t nvmi_large_up(size_t size_bytes)
{
    return (size_bytes + UNIT - 1) / UNIT * UNIT;
}

size_t nvmi_large_bytes(const struct nvm_disk_page *entry)
{
    return (size_t)entry->run * NVM_PAGE_BYTES - (size_t)entry->slack * UNIT;
}

static uint32_t pages_for(size_t size_bytes)
{
    return (uint32_t)((size_bytes + NVM_PAGE_BYTES - 1) / NVM_PAGE_BYTES);
}

static void set_head(uint32_t page, unsigned type, uint32_t run, size_t size_bytes)
{
    uint64_t slack = ((uint64_t)run * NVM_PAGE_BYTES - size_bytes) / UNIT;
    nvmi_page_set(page, (struct nvm_disk_page){.state = NVM_PAGE_LARGE,
                                               .type = (uint16_t)type,
                                               .run = run,
                                               .slack = (uint32_t)slack});
}

static void set_tails(uint32_t page, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        nvmi_page_set(page + i, (struct nvm_disk_page){.state = NVM_PAGE_TAIL, .run = i});
}

/* A range record instead of line images: see nvmi_hook_zero(). */
static void zero_pages(uint32_t first, uint32_t end)
{
    if (first >= end)
        return;
    unsigned char *p = nvmi_page_address(first);
    size_t size_bytes = (size_t)(end - first) * NVM_PAGE_BYTES;
    if (!nvmi_hook_zero((uint64_t)(p - nvmi_pool.heap), size_bytes))
        nvm_store(p, size_bytes);
    memset(p, 0, size_bytes);
}

void *nvmi_large_alloc(unsigned type, size_t size_bytes, bool zero)
{
    if (size_bytes > (size_t)nvmi_heap.page_count * NVM_PAGE_BYTES)
        return NULL;
    uint32_t run = pages_for(size_bytes), virgin_from;
    uint32_t page = nvmi_pages_take(run, &virgin_from);
    if (page == NVMI_NO_PAGE)
        return NULL;
    set_head(page, type, run, size_bytes);
    set_tails(page, 1, run);
    if (!nvmi_heap.info[page].fresh) {
        nvmi_heap.info[page].fresh = 1;
        nvmi_heap.fresh.page[nvmi_heap.fresh.count++] = page;
    }
    if (zero)
        zero_pages(page, virgin_from);
    return nvmi_page_address(page);
}

bool nvmi_large_resize(uint32_t page, size_t size_bytes)
{
    struct nvm_disk_page head = nvmi_heap.directory[page];
    if (size_bytes > (size_t)nvmi_heap.page_count * NVM_PAGE_BYTES || !nvmi_is_covered())
        return false;
    uint32_t run = pages_for(size_bytes), virgin_from;
    /* A block that became much smaller moves, so that its pages are used again. */
    if (size_bytes <= NVMI_SLAB_MAX_BYTES || run <= head.run / 2)
        return false;
    if (run > head.run) {
        if (!nvmi_pages_extend(page, head.run, run - head.run, &virgin_from))
            return false;
        set_tails(page, head.run, run);
        head.run = run;
    }
    set_head(page, head.type, head.run, size_bytes);
    return true;
}

void nvmi_large_release(uint32_t page)
{
    nvmi_pages_release(page, nvmi_heap.directory[page].run);
}
