/*===- reach.c - which blocks can the roots reach? --------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "reach.h"
#include "line_logs.h"
#include "named.h"
#include <errno.h>
#include <string.h>

static void mark(void *context, const unsigned char *place, uint64_t address)
{
    struct nvmi_reach *reach = context;
    struct nvmi_block block;
    if (nvmi_is_in_line_log(place))
        return;
    const unsigned char *target = nvmi_pool.heap + (address - reach->heap_address);
    if (!nvmi_heap_find(target, &block) || !block.allocated)
        return;
    uint64_t unit = nvmi_unit_of(block.start), bit = (uint64_t)1 << unit % 64;
    if (reach->counted[block.type].size_bytes &&
        target == block.start + reach->counted[block.type].prefix_bytes &&
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

static void find_count(struct nvmi_reach *reach, const struct nvm_disk_entry *type)
{
    const struct nvm_disk_entry *layout = nvmi_entry_find(NVM_ENTRY_LAYOUT, nvmi_entry_name(type));
    uint64_t prefix = nvmi_entry_prefix(type);
    struct nvmi_entry_field at = {0};
    if (prefix == NVMI_PREFIX_MIXED)
        return;
    for (unsigned i = 0; layout && i < layout->field_count; i++) {
        at = nvmi_entry_field(layout, i ? &at : NULL);
        uint64_t size = at.field.size_bytes;
        if (nvmi_is_kind(&at.field, NVM_KIND_COUNT) &&
            (size == 1 || size == 2 || size == 4 || size == 8) && at.field.offset % size == 0)
            reach->counted[type->a] = (struct nvmi_count_field){
                (uint32_t)(prefix + at.field.offset), (uint32_t)size, (uint32_t)prefix};
    }
}

static void find_counts(struct nvmi_reach *reach)
{
    for (struct nvm_disk_entry *e = nvmi_entry_first(); e; e = nvmi_entry_next(e))
        if (e->kind == NVM_ENTRY_TYPE)
            find_count(reach, e);
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
    reach->counted = nvmi_reserve((NVMI_MAX_TYPES + 1) * sizeof(*reach->counted));
    if (reach->reached && reach->stack && reach->references && reach->counted)
        return 0;
    nvmi_reach_release(reach);
    return nvmi_fail(ENOMEM, "no-memory", "no address space for marking");
}

int nvmi_reach(struct nvmi_reach *reach, uint64_t heap_address)
{
    if (reserve(reach, heap_address) != 0)
        return ENOMEM;
    find_counts(reach);
    look_through_roots(reach);
    while (reach->stack_count) {
        const unsigned char *p = (void *)(uintptr_t)reach->stack[--reach->stack_count];
        struct nvmi_block block;
        nvmi_heap_find(p, &block);
        look_through(reach, p, block.size_bytes);
    }
    return 0;
}

void nvmi_reach_release(struct nvmi_reach *reach)
{
    nvmi_release(reach->reached, reach->unit_count / 8);
    nvmi_release(reach->stack, reach->stack_capacity * sizeof(*reach->stack));
    nvmi_release(reach->references, reach->unit_count * sizeof(*reach->references));
    nvmi_release(reach->counted, (NVMI_MAX_TYPES + 1) * sizeof(*reach->counted));
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
