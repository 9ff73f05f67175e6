/*===- line_logs.c - records with the copy of a word in their line ----------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "line_logs.h"
#include "engines/engine.h"
#include "named.h"
#include <string.h>

uint64_t nvmi_log_seed;
static unsigned char shapes[NVMI_MAX_TYPES + 1]; /* by number of the type */
static bool any_shape;

unsigned nvmi_line_log_of(const struct nvm_disk_entry *layout)
{
    struct nvmi_entry_field at = {0};
    unsigned shape = 0;
    if (layout->a != 32 && layout->a != 64)
        return 0;
    for (unsigned i = 0; i < layout->field_count; i++) {
        at = nvmi_entry_field(layout, i ? &at : NULL);
        const struct nvm_field *f = &at.field;
        if ((f->kind & ~0xffu) == NVM_KIND_LINE_LOG && f->offset % 8 == 0 &&
            f->size_bytes == sizeof(struct nvm_line_log) && f->offset <= layout->a - f->size_bytes)
            shape = NVMI_HAS_LOG | (layout->a == 64 ? NVMI_LOG_OF_64 : 0) | (unsigned)f->offset / 8;
    }
    return shape;
}

void nvmi_line_logs_read(void)
{
    if (any_shape)
        memset(shapes, 0, sizeof(shapes));
    any_shape = false;
    memcpy(&nvmi_log_seed, nvmi_pool.header.uuid, sizeof(nvmi_log_seed));
    for (struct nvm_disk_entry *e = nvmi_entry_first(); e; e = nvmi_entry_next(e)) {
        unsigned shape = e->kind == NVM_ENTRY_LAYOUT ? nvmi_line_log_of(e) : 0;
        struct nvm_disk_entry *type =
            shape ? nvmi_entry_find(NVM_ENTRY_TYPE, nvmi_entry_name(e)) : NULL;
        if (type)
            shapes[type->a] = (unsigned char)shape;
        any_shape |= type != NULL;
    }
}

void nvmi_line_logs_add_type(unsigned type, const char *name)
{
    const struct nvm_disk_entry *layout = nvmi_entry_find(NVM_ENTRY_LAYOUT, name);
    if (layout && nvmi_line_log_of(layout)) {
        shapes[type] = (unsigned char)nvmi_line_log_of(layout);
        any_shape = true;
    }
}

unsigned nvmi_line_log_shape(const struct nvm_disk_page *page)
{
    unsigned shape = page->state == NVM_PAGE_SLAB ? shapes[page->type] : 0;
    return shape && nvmi_class_bytes(page->size_class) % nvmi_log_unit_bytes(shape) == 0 ? shape
                                                                                         : 0;
}

static void set_page(uint32_t page, unsigned shape)
{
    __atomic_store_n(&nvmi_heap.info[page].log_shape, (uint8_t)shape, __ATOMIC_RELAXED);
}

void nvmi_line_logs_new_slab(uint32_t page)
{
    const struct nvm_disk_page *entry = &nvmi_heap.directory[page];
    bool logs = any_shape && nvmi_pool.engine->log_word;
    set_page(page, logs && nvmi_type_begins(entry->type) ? nvmi_line_log_shape(entry) : 0);
}

void nvmi_line_logs_open(void)
{
    for (uint32_t page = 0; any_shape && page < nvmi_pool.backed_pages; page++)
        if (nvmi_heap.directory[page].state == NVM_PAGE_SLAB)
            nvmi_line_logs_new_slab(page);
}

void nvmi_line_logs_drop_type(unsigned type)
{
    for (uint32_t page = 0; shapes[type] && page < nvmi_pool.backed_pages; page++)
        if (nvmi_heap.directory[page].type == type)
            set_page(page, 0);
}

/* Of no use but to the runtime: its copy may lead to what is gone. */
bool nvmi_is_in_line_log(const unsigned char *place)
{
    uint64_t offset = (uint64_t)(place - nvmi_pool.heap);
    uint64_t page = (offset - nvmi_pool.header.page_offset) / NVM_PAGE_BYTES;
    if (!any_shape || page >= nvmi_pool.backed_pages)
        return false;
    unsigned shape = nvmi_line_log_shape(&nvmi_heap.directory[page]);
    if (!shape)
        return false;
    for (uint64_t at = offset; at <= offset + 7; at += 7) { /* they may lie in two units */
        uint64_t unit = at & ~(nvmi_log_unit_bytes(shape) - 1), from = nvmi_log_word(shape) * 8ull;
        struct nvm_line_log log;
        if (at - unit < from || at - unit >= from + sizeof(log))
            continue;
        memcpy(&log, nvmi_pool.heap + unit + from, sizeof(log));
        if (nvmi_log_epoch(unit, log.tag) <= nvmi_pool.epoch + 1)
            return true;
    }
    return false;
}

bool nvmi_line_logs_undo(unsigned char *line, uint64_t line_offset, unsigned shape, uint64_t epoch)
{
    bool any = false;
    for (uint64_t at = 0; at < NVM_LINE_BYTES; at += nvmi_log_unit_bytes(shape)) {
        struct nvm_line_log log;
        memcpy(&log, line + at + nvmi_log_word(shape) * 8, sizeof(log));
        if (nvmi_log_epoch(line_offset + at, log.tag) != epoch)
            continue;
        uint64_t number = (log.tag ^ nvmi_log_key(line_offset + at)) & 7;
        if (number >= nvmi_log_unit_bytes(shape) / 8)
            continue;
        memcpy(line + at + number * 8, &log.old, sizeof(log.old));
        any = true;
    }
    return any;
}
