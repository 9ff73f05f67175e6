/*===- reach.c - which blocks can the roots reach? --------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "reachability/reach.h"
#include "base/error.h"
#include "base/memory.h"
#include "heap/classes.h"
#include "heap/heap.h"
#include "heap/line_logs.h"
#include "heap/slab.h"
#include "named/table.h"
#include "named/types.h"
#include "reachability/scan.h"
#include <errno.h>
#include <string.h>

#define MOST_NESTED 16u
#define WORD_BYTES 8u

static bool is_data(const struct nvm_disk_entry *layout, uint64_t offset, unsigned depth);

/* The word at this offset of the field, all of which lies in it. */
static bool is_data_in(const struct nvm_field *f, uint64_t offset, unsigned depth)
{
    if (nvmi_is_kind(f, NVM_KIND_POINTER) || nvmi_is_kind(f, NVM_KIND_VOLATILE))
        return offset % WORD_BYTES != 0;
    if (nvmi_is_kind(f, NVM_KIND_COUNT) || nvmi_is_real(f))
        return true;
    const struct nvm_disk_entry *record =
        f->record && depth < MOST_NESTED ? nvmi_entry_find(NVM_ENTRY_LAYOUT, f->record) : NULL;
    return record && record->a && is_data(record, offset % record->a, depth + 1);
}

/* No pointer shares bytes with two fields; members of a union lie at the same place. */
static bool is_data(const struct nvm_disk_entry *layout, uint64_t offset, unsigned depth)
{
    struct nvmi_entry_field at = {0};
    uint64_t end = offset + WORD_BYTES;
    bool any = false;
    for (unsigned i = 0; i < layout->field_count; i++) {
        at = nvmi_entry_field(layout, i ? &at : NULL);
        const struct nvm_field *f = &at.field;
        /* A flexible member covers the rest. */
        uint64_t field_end = f->size_bytes ? f->offset + f->size_bytes : UINT64_MAX;
        if (end <= f->offset || offset >= field_end)
            continue;
        any = true;
        if (offset >= f->offset && end <= field_end && !is_data_in(f, offset - f->offset, depth))
            return false;
    }
    return any;
}

/* What the layout says of the record with which the block begins; nothing else is known. */
static bool is_known_data(const struct nvmi_reach *reach, const unsigned char *place)
{
    if (!reach->block.start)
        return false;
    const struct nvmi_reach_type *type = &reach->types[reach->block.type];
    const unsigned char *record = reach->block.start + type->prefix_bytes;
    return type->layout && place >= record &&
           (uint64_t)(place - record) + WORD_BYTES <= type->layout->a &&
           is_data(type->layout, (uint64_t)(place - record), 0);
}

static void mark(void *context, const unsigned char *place, uint64_t address)
{
    struct nvmi_reach *reach = context;
    struct nvmi_block block;
    if (nvmi_is_in_line_log(place) || is_known_data(reach, place))
        return;
    const unsigned char *target = nvmi_pool.heap + (address - reach->heap_address);
    if (!nvmi_heap_find(target, &block) || !block.allocated)
        return;
    uint64_t unit = nvmi_unit_of(block.start), bit = (uint64_t)1 << unit % 64;
    const struct nvmi_reach_type *type = &reach->types[block.type];
    if (type->count_bytes && target == block.start + type->prefix_bytes &&
        reach->references[unit] != UINT32_MAX)
        reach->references[unit]++;
    if (reach->reached[unit / 64] & bit)
        return;
    reach->reached[unit / 64] |= bit;
    reach->stack[reach->stack_count++] = (uint64_t)(uintptr_t)block.start;
}

static void look_through(struct nvmi_reach *reach, const unsigned char *from, uint64_t size_bytes)
{
    uint64_t pages = reach->heap_address + nvmi_pool.header.page_offset;
    struct nvmi_scan scan = {pages, (uint64_t)nvmi_pool.backed_pages * NVM_PAGE_BYTES, mark, reach};
    nvmi_scan(&scan, from, size_bytes);
}

/* All entries with their values and names: no kind of entry can be forgotten. */
static void look_through_roots(struct nvmi_reach *reach)
{
    const struct nvm_disk_heap *header = nvmi_heap_header();
    const struct nvm_disk_header *h = &nvmi_pool.header;
    look_through(reach, (const unsigned char *)header, sizeof(*header));
    look_through(reach, nvmi_pool.heap + h->table_offset, header->table_used_bytes);
    look_through(reach, nvmi_pool.heap + h->twin_offset, header->twin_used_bytes);
}

static void read_type(struct nvmi_reach *reach, const struct nvm_disk_entry *type, bool typed)
{
    const struct nvm_disk_entry *layout = nvmi_entry_find(NVM_ENTRY_LAYOUT, nvmi_entry_name(type));
    uint64_t prefix = nvmi_entry_prefix(type);
    struct nvmi_reach_type *t = &reach->types[type->a];
    struct nvmi_entry_field at = {0};
    if (prefix == NVMI_PREFIX_MIXED)
        return;
    t->prefix_bytes = (uint32_t)prefix;
    t->layout = typed ? layout : NULL;
    for (unsigned i = 0; layout && i < layout->field_count; i++) {
        at = nvmi_entry_field(layout, i ? &at : NULL);
        uint64_t size = at.field.size_bytes;
        if (nvmi_is_kind(&at.field, NVM_KIND_COUNT) &&
            (size == 1 || size == 2 || size == 4 || size == 8) && at.field.offset % size == 0) {
            t->count_offset = (uint32_t)(prefix + at.field.offset);
            t->count_bytes = (uint32_t)size;
        }
    }
}

/* A number in such a field may be an address, in a form that nobody knows. */
static bool is_computed(const struct nvm_disk_entry *layout)
{
    struct nvmi_entry_field at = {0};
    for (unsigned i = 0; i < layout->field_count; i++) {
        at = nvmi_entry_field(layout, i ? &at : NULL);
        if (nvmi_is_kind(&at.field, NVM_KIND_COMPUTED) ||
            nvmi_is_kind(&at.field, NVM_KIND_COMPUTED_IN_HEAP))
            return true;
    }
    return false;
}

static bool any_is_computed(void)
{
    for (struct nvm_disk_entry *e = nvmi_entry_first(); e; e = nvmi_entry_next(e))
        if (e->kind == NVM_ENTRY_LAYOUT && is_computed(e))
            return true;
    return false;
}

static void mark_block(void *context, const struct nvmi_block *block)
{
    struct nvmi_reach *reach = context;
    uint64_t unit = nvmi_unit_of(block->start);
    reach->reached[unit / 64] |= (uint64_t)1 << unit % 64;
}

static void read_types(struct nvmi_reach *reach, bool typed)
{
    for (struct nvm_disk_entry *e = nvmi_entry_first(); e; e = nvmi_entry_next(e))
        if (e->kind == NVM_ENTRY_TYPE)
            read_type(reach, e, typed);
}

static int reserve(struct nvmi_reach *reach, uint64_t heap_address)
{
    size_t units = nvmi_units_in_use();
    if (units == 0) /* nothing is no size for a reservation */
        units = NVMI_PAGE_UNITS;
    *reach = (struct nvmi_reach){
        .heap_address = heap_address, .unit_count = units, .stack_capacity = units};
    reach->reached = nvmi_reserve(units / 8);
    reach->stack = nvmi_reserve(units * sizeof(*reach->stack)); /* each block once */
    reach->references = nvmi_reserve(units * sizeof(*reach->references));
    reach->types = nvmi_reserve((NVMI_MAX_TYPES + 1) * sizeof(*reach->types));
    if (reach->reached && reach->stack && reach->references && reach->types)
        return 0;
    nvmi_reach_release(reach);
    return nvmi_fail(ENOMEM, "no-memory", "no address space for marking");
}

int nvmi_reach(struct nvmi_reach *reach, uint64_t heap_address, bool typed)
{
    if (reserve(reach, heap_address) != 0)
        return ENOMEM;
    read_types(reach, typed);
    look_through_roots(reach);
    while (reach->stack_count) {
        const unsigned char *p = (void *)(uintptr_t)reach->stack[--reach->stack_count];
        nvmi_heap_find(p, &reach->block);
        look_through(reach, p, reach->block.size_bytes);
    }
    if (any_is_computed())
        nvmi_each_committed(mark_block, reach);
    return 0;
}

void nvmi_reach_release(struct nvmi_reach *reach)
{
    nvmi_release(reach->reached, reach->unit_count / 8);
    nvmi_release(reach->stack, reach->stack_capacity * sizeof(*reach->stack));
    nvmi_release(reach->references, reach->unit_count * sizeof(*reach->references));
    nvmi_release(reach->types, (NVMI_MAX_TYPES + 1) * sizeof(*reach->types));
    memset(reach, 0, sizeof(*reach));
}

static void each_of_slab(uint32_t page, void (*see)(void *, const struct nvmi_block *),
                         void *context)
{
    const struct nvm_disk_page *entry = &nvmi_heap.directory[page];
    size_t bytes = nvmi_class_bytes(entry->size_class);
    for (uint32_t i = 0, count = nvmi_slab_capacity(entry->size_class); i < count; i++)
        if (nvmi_slab_is_committed(page, i))
            see(context, &(struct nvmi_block){nvmi_page_address(page) + i * bytes, bytes,
                                              entry->type, true});
}

void nvmi_each_committed(void (*see)(void *context, const struct nvmi_block *block), void *context)
{
    for (uint32_t page = 0; page < nvmi_pool.backed_pages; page++) {
        struct nvmi_block block;
        if (nvmi_heap.directory[page].state == NVM_PAGE_SLAB)
            each_of_slab(page, see, context);
        else if (nvmi_heap.directory[page].state == NVM_PAGE_LARGE && !nvmi_heap.info[page].fresh &&
                 nvmi_heap_find(nvmi_page_address(page), &block))
            see(context, &block);
    }
}
