/*===- in_line.c - rolling back words by the copies in their lines ----------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "engines/in_line.h"
#include "heap/line_logs.h"
#include "heap/state.h"
#include "hook/logged_words.h"
#include "named/table.h"
#include "nvmove/restart.h"
#include <string.h>

/* The bytes of the heap as far as they have been rolled back. */
static const unsigned char *rolled_back(const struct nvmi_pool *pool, nvmi_put *put)
{
    return put == nvmi_put_view ? pool->heap : pool->home;
}

static void roll_back_page(struct nvmi_pool *pool, nvmi_put *put, uint64_t page_offset)
{
    uint64_t epoch = pool->control_read.base_epoch;
    for (uint64_t at = page_offset; at < page_offset + NVM_PAGE_BYTES; at += NVM_LINE_BYTES) {
        struct nvm_cell cell[NVM_LINE_BYTES / NVMI_CELL_BYTES];
        bool changed = false;
        memcpy(cell, rolled_back(pool, put) + at, sizeof(cell));
        for (unsigned i = 0; i < NVM_LINE_BYTES / NVMI_CELL_BYTES; i++)
            if (cell[i].epoch == epoch) {
                cell[i].value = cell[i].old;
                changed = true;
            }
        if (changed)
            put(pool, (uint32_t)(at / NVM_LINE_BYTES), cell);
    }
}

void nvmi_roll_back_cells(struct nvmi_pool *pool, nvmi_put *put)
{
    const struct nvm_disk_entry *type = nvmi_entry_find(NVM_ENTRY_TYPE, NVMI_CELL_TYPE);
    for (uint32_t page = 0; type && page < pool->backed_pages; page++)
        if (nvmi_heap.directory[page].state == NVM_PAGE_SLAB &&
            nvmi_heap.directory[page].type == type->a)
            roll_back_page(pool, put, pool->header.page_offset + (uint64_t)page * NVM_PAGE_BYTES);
}

void nvmi_roll_back_logs(struct nvmi_pool *pool, nvmi_put *put, struct nvmi_range range)
{
    uint64_t pages = pool->header.page_offset, end = range.offset + range.size_bytes;
    for (uint64_t at = range.offset > pages ? range.offset : pages; at < end;
         at += NVM_LINE_BYTES) {
        unsigned char line[NVM_LINE_BYTES];
        uint64_t page = (at - pages) / NVM_PAGE_BYTES;
        unsigned unit = page < pool->backed_pages ? nvmi_log_unit(&nvmi_heap.directory[page]) : 0;
        if (!unit)
            continue;
        memcpy(line, rolled_back(pool, put) + at, sizeof(line));
        if (nvmi_line_logs_undo(line, at, unit, pool->control_read.base_epoch))
            put(pool, (uint32_t)(at / NVM_LINE_BYTES), line);
    }
}
