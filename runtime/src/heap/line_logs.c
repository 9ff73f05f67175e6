/*===- line_logs.c - records with the copy of a word in their line ----------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "heap/line_logs.h"
#include "engines/engine.h"
#include "named/named.h"
#include <string.h>

uint64_t nvmi_log_seed;
static unsigned char units[NVMI_MAX_TYPES + 1]; /* by number of the type */
static bool any_unit;

unsigned nvmi_log_unit_of(const struct nvm_disk_entry *layout)
{
    struct nvmi_entry_field at = {0};
    for (unsigned i = 0; i < layout->field_count; i++) {
        at = nvmi_entry_field(layout, i ? &at : NULL);
        const struct nvm_field *f = &at.field;
        if (nvmi_is_kind(f, NVM_KIND_LINE_LOG) && (layout->a == 32 || layout->a == 64) &&
            f->size_bytes >= sizeof(struct nvmi_line_log) && f->offset + f->size_bytes == layout->a)
            return (unsigned)layout->a;
    }
    return 0;
}

void nvmi_line_logs_read(void)
{
    if (any_unit)
        memset(units, 0, sizeof(units));
    any_unit = false;
    memcpy(&nvmi_log_seed, nvmi_pool.header.uuid, sizeof(nvmi_log_seed));
    for (struct nvm_disk_entry *e = nvmi_entry_first(); e; e = nvmi_entry_next(e)) {
        unsigned unit = e->kind == NVM_ENTRY_LAYOUT ? nvmi_log_unit_of(e) : 0;
        struct nvm_disk_entry *type =
            unit ? nvmi_entry_find(NVM_ENTRY_TYPE, nvmi_entry_name(e)) : NULL;
        if (type)
            units[type->a] = (unsigned char)unit;
        any_unit |= type != NULL;
    }
}

void nvmi_line_logs_add_type(unsigned type, const char *name)
{
    const struct nvm_disk_entry *layout = nvmi_entry_find(NVM_ENTRY_LAYOUT, name);
    if (layout && nvmi_log_unit_of(layout)) {
        units[type] = (unsigned char)nvmi_log_unit_of(layout);
        any_unit = true;
    }
}

unsigned nvmi_log_unit(const struct nvm_disk_page *page)
{
    unsigned unit = page->state == NVM_PAGE_SLAB ? units[page->type] : 0;
    return unit && nvmi_class_bytes(page->size_class) % unit == 0 ? unit : 0;
}

static void set_page(uint32_t page, unsigned unit)
{
    __atomic_store_n(&nvmi_heap.info[page].log_unit, (uint8_t)unit, __ATOMIC_RELAXED);
}

void nvmi_line_logs_new_slab(uint32_t page)
{
    const struct nvm_disk_page *entry = &nvmi_heap.directory[page];
    bool logs = any_unit && nvmi_pool.engine->log_word;
    set_page(page, logs && nvmi_type_begins(entry->type) ? nvmi_log_unit(entry) : 0);
}

void nvmi_line_logs_open(void)
{
    for (uint32_t page = 0; any_unit && page < nvmi_pool.backed_pages; page++)
        if (nvmi_heap.directory[page].state == NVM_PAGE_SLAB)
            nvmi_line_logs_new_slab(page);
}

void nvmi_line_logs_drop_type(unsigned type)
{
    for (uint32_t page = 0; units[type] && page < nvmi_pool.backed_pages; page++)
        if (nvmi_heap.directory[page].type == type)
            set_page(page, 0);
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

bool nvmi_line_logs_undo(unsigned char *line, uint64_t line_offset, unsigned unit, uint64_t epoch)
{
    bool any = false;
    for (uint64_t at = 0; at < NVM_LINE_BYTES; at += unit) {
        struct nvmi_line_log log;
        memcpy(&log, line + at + unit - sizeof(log), sizeof(log));
        uint64_t number = (log.tag ^ nvmi_log_key(line_offset + at)) & 7;
        if (nvmi_log_epoch(line_offset + at, log.tag) != epoch || number >= unit / 8 - 2)
            continue;
        memcpy(line + at + number * 8, &log.old, sizeof(log.old));
        any = true;
    }
    return any;
}
