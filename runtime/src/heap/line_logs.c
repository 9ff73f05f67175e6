/*===- line_logs.c - pages whose records have logs in their lines -----------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "heap/line_logs.h"
#include "base/engine.h"
#include "base/pool.h"
#include "heap/classes.h"
#include "heap/state.h"
#include "hook/logged_words.h"
#include <string.h>

static unsigned char units[NVMI_MAX_TYPES + 1]; /* by number of the type */
static bool prefixed[NVMI_MAX_TYPES + 1];       /* some block begins with something else */
static bool any_unit;

void nvmi_line_logs_reset(void)
{
    if (any_unit)
        memset(units, 0, sizeof(units));
    any_unit = false;
    memcpy(&nvmi_log_seed, nvmi_pool.header.uuid, sizeof(nvmi_log_seed));
}

void nvmi_line_logs_set_type(unsigned type, unsigned unit, bool begins)
{
    units[type] = (unsigned char)unit;
    prefixed[type] = !begins;
    any_unit = true;
}

unsigned nvmi_log_unit(const struct nvm_disk_page *page)
{
    unsigned unit = page->state == NVM_PAGE_SLAB ? units[page->type] : 0;
    return unit && nvmi_class_bytes(page->size_class) % unit == 0 ? unit : 0;
}

void nvmi_line_logs_new_slab(uint32_t page)
{
    const struct nvm_disk_page *entry = &nvmi_heap.directory[page];
    bool logs = any_unit && nvmi_pool.engine->log_word;
    nvmi_log_page_set(page, logs && !prefixed[entry->type] ? nvmi_log_unit(entry) : 0);
}

void nvmi_line_logs_open(void)
{
    for (uint32_t page = 0; any_unit && page < nvmi_pool.backed_pages; page++)
        if (nvmi_heap.directory[page].state == NVM_PAGE_SLAB)
            nvmi_line_logs_new_slab(page);
}

void nvmi_line_logs_drop_type(unsigned type)
{
    prefixed[type] = true;
    for (uint32_t page = 0; units[type] && page < nvmi_pool.backed_pages; page++)
        if (nvmi_heap.directory[page].type == type)
            nvmi_log_page_set(page, 0);
}

/* Of no use but to the runtime: its copy may lead to what is gone. */
bool nvmi_is_in_line_log(const unsigned char *place)
{
    uint64_t offset = (uint64_t)(place - nvmi_pool.heap);
    uint64_t page = (offset - nvmi_pool.header.page_offset) / NVM_PAGE_BYTES;
    if (!any_unit || page >= nvmi_pool.backed_pages)
        return false;
    unsigned unit = nvmi_log_unit(&nvmi_heap.directory[page]);
    if (!unit)
        return false;
    for (uint64_t at = offset; at <= offset + 7; at += 7) { /* they may lie in two units */
        uint64_t begin = at & ~((uint64_t)unit - 1);
        struct nvmi_line_log log;
        memcpy(&log, nvmi_pool.heap + begin + unit - sizeof(log), sizeof(log));
        if (at >= begin + unit - sizeof(log) &&
            nvmi_log_epoch(begin, log.tag) <= nvmi_pool.epoch + 1)
            return true;
    }
    return false;
}
