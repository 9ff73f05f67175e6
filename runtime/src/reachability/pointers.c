/*===- pointers.c - which words of a pool are pointers? ---------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "reachability/pointers.h"
#include "base/engine.h"
#include "base/pool.h"
#include "heap/line_logs.h"
#include "heap/state.h"
#include "named/line_log_types.h"
#include "named/table.h"
#include "named/types.h"
#include "nvmove/restart.h"
#include "reachability/scan.h"
#include <stdio.h>
#include <string.h>

#define NAME_BYTES 200u
#define MOST_NESTED 16u
#define WORD_BYTES 8u

/* What is being looked through: a block or a root's value. */
struct area {
    struct nvmi_pointers *pointers;
    const unsigned char *from;
    uint64_t size_bytes;
    const char *name;                    /* of the type or the root */
    const struct nvm_disk_entry *layout; /* NULL: none is known */
    bool all_pointers;
};

enum answer { UNKNOWN, POINTER, DATA };

static bool word_in(const struct nvm_disk_entry *layout, uint64_t offset, char *name,
                    unsigned depth);

/* Is there a pointer at this offset of a field? `name`, which may be NULL, takes the
 * field's. */
static bool word_in_field(const struct nvm_field *f, uint64_t offset, char *name, unsigned depth)
{
    if (name) {
        size_t used = strlen(name);
        snprintf(name + used, NAME_BYTES - used, ".%s", f->name);
    }
    if (nvmi_is_kind(f, NVM_KIND_POINTER) || nvmi_is_kind(f, NVM_KIND_VOLATILE))
        return offset % WORD_BYTES == 0;
    const struct nvm_disk_entry *record =
        f->record && depth < MOST_NESTED ? nvmi_entry_find(NVM_ENTRY_LAYOUT, f->record) : NULL;
    return record && record->a && word_in(record, offset % record->a, name, depth + 1);
}

/* Members of a union lie at the same place: all of them must be pointers. The name
 * is that of the last one. */
static bool word_in(const struct nvm_disk_entry *layout, uint64_t offset, char *name,
                    unsigned depth)
{
    struct nvmi_entry_field at = {0};
    size_t used = name ? strlen(name) : 0;
    bool any = false, all = true;
    for (unsigned i = 0; i < layout->field_count; i++) {
        at = nvmi_entry_field(layout, i ? &at : NULL);
        const struct nvm_field *f = &at.field;
        /* A flexible member covers the rest. */
        if (offset < f->offset || (f->size_bytes && offset - f->offset >= f->size_bytes))
            continue;
        if (name)
            name[used] = 0;
        any = true;
        all = word_in_field(f, offset - f->offset, name, depth) && all;
    }
    return any && all;
}

static bool has_flexible_end(const struct nvm_disk_entry *layout)
{
    struct nvmi_entry_field at = {0};
    for (unsigned i = 0; i < layout->field_count; i++) {
        at = nvmi_entry_field(layout, i ? &at : NULL);
        if (at.field.size_bytes == 0)
            return true;
    }
    return false;
}

static enum answer promised(const struct nvmi_pointers *p, const char *name)
{
    for (size_t i = 0; name && i < p->promise_count; i++)
        if (strcmp(p->promise[i].name, name) == 0)
            return p->promise[i].pointers ? POINTER : DATA;
    return UNKNOWN;
}

/* A block begins with a record of its type. What follows may be more of them or,
 * for instance, a string: that it is an array must be promised for "type[]". */
static bool is_record_at(const struct area *area, uint64_t offset, char *name)
{
    const struct nvm_disk_entry *layout = area->layout;
    if (offset < layout->a || has_flexible_end(layout) || layout->kind == NVM_ENTRY_ARRAY ||
        nvmi_log_unit_of(layout))
        return true;
    if (!name)
        return false;
    snprintf(name, NAME_BYTES, "%.190s[]", area->name);
    return promised(area->pointers, name) == POINTER;
}

/* Its name, too; NULL: nothing is promised, and nobody asks. */
static enum answer what_is(const struct area *area, const unsigned char *place, char *name)
{
    uint64_t offset = (uint64_t)(place - area->from);
    const struct nvm_disk_entry *layout = area->layout;
    bool aligned = offset % WORD_BYTES == 0;
    if (name)
        snprintf(name, NAME_BYTES, "%s", area->name);
    if (area->all_pointers && aligned)
        return POINTER;
    enum answer answer = promised(area->pointers, name);
    if (layout && layout->a && is_record_at(area, offset, name)) {
        if (word_in(layout, has_flexible_end(layout) ? offset : offset % layout->a, name, 0))
            return POINTER;
        enum answer of_field = promised(area->pointers, name);
        answer = of_field != UNKNOWN ? of_field : answer;
    }
    return answer == POINTER && !aligned ? UNKNOWN : answer;
}

/* Nothing points to what lies before the twins. */
void nvmi_pointers_into_heap(struct nvmi_pointers *p)
{
    const struct nvm_disk_header *h = &nvmi_pool.header;
    uint64_t before = h->twin_offset / NVM_PAGE_BYTES * NVM_PAGE_BYTES;
    p->target = p->reach->heap_address + before;
    p->target_bytes = h->arena_size_bytes / NVM_PAGE_BYTES * NVM_PAGE_BYTES - before;
}

static bool leads(const struct nvmi_pointers *p, uint64_t address)
{
    return address - p->target < p->target_bytes && (!p->leads || p->leads(p->context, address));
}

static bool is_address(const struct nvmi_pointers *p, const unsigned char *place)
{
    uint64_t word;
    memcpy(&word, place, sizeof(word));
    return leads(p, word);
}

/* Bytes of a pointer and what stands beside it may look like another one. */
static bool overlaps_a_pointer(const struct area *area, const unsigned char *place)
{
    char name[NAME_BYTES];
    for (const unsigned char *p = place - (WORD_BYTES - 1); p < place + WORD_BYTES; p++)
        if (p != place && p >= area->from && p + WORD_BYTES <= area->from + area->size_bytes &&
            is_address(area->pointers, p) && what_is(area, p, name) == POINTER)
            return true;
    return false;
}

static void note_unknown(struct nvmi_pointers *p, const char *name)
{
    size_t used = strlen(p->unknown), length = strlen(name);
    const char *known = p->unknown;
    while ((known = strstr(known, name)) && known[length] && known[length] != ',')
        known += length;
    if (!known && used + length + 3 < sizeof(p->unknown))
        snprintf(p->unknown + used, sizeof(p->unknown) - used, "%s%s", used ? ", " : "", name);
}

/* Places come in order, so a pointer before this one may have been changed already:
 * then it no longer looks like one, and neither do bytes of it. */
static void judge(void *context, const unsigned char *place, uint64_t address)
{
    const struct area *area = context;
    struct nvmi_pointers *p = area->pointers;
    char name[NAME_BYTES];
    if (!leads(p, address) || nvmi_is_in_line_log(place))
        return;
    enum answer answer = what_is(area, place, p->promise_count ? name : NULL);
    if (answer == UNKNOWN && p->presumed)
        answer = (uintptr_t)place % WORD_BYTES == 0 ? POINTER : DATA;
    if (answer == POINTER && !p->named) {
        p->see(p->context, (unsigned char *)place);
    } else if (answer == POINTER || (answer == UNKNOWN && !overlaps_a_pointer(area, place))) {
        what_is(area, place, name);
        note_unknown(p, name);
    }
}

static void look_through(struct area *area)
{
    const struct nvmi_pointers *p = area->pointers;
    if (p->see_volatile)
        return;
    struct nvmi_scan scan = {p->target, p->target_bytes, judge, area};
    nvmi_scan(&scan, area->from, area->size_bytes);
}

/* Fields are sought by what they are, not by what they hold: those that are computed
 * from addresses, of which the names are noted, or those that end with the process. */
static bool is_sought(const struct nvmi_pointers *p, const struct nvm_field *f)
{
    if (p->see_volatile)
        return nvmi_is_kind(f, NVM_KIND_VOLATILE) || nvmi_is_kind(f, NVM_KIND_DESCRIPTOR);
    return (nvmi_is_kind(f, NVM_KIND_COMPUTED) && !p->on_stack) ||
           (nvmi_is_kind(f, NVM_KIND_COMPUTED_IN_HEAP) && !p->of_statics);
}

static void look_in_record(const struct area *area, const struct nvm_disk_entry *layout,
                           uint64_t from, uint64_t end, const char *name, unsigned depth);

static void see_field(const struct area *area, const struct nvm_field *f, uint64_t from,
                      uint64_t end, const char *name)
{
    struct nvmi_pointers *p = area->pointers;
    bool any = false;
    enum nvmi_ending what = !nvmi_is_kind(f, NVM_KIND_DESCRIPTOR) ? NVMI_POINTER
                            : nvmi_is_struct(f)                   ? NVMI_DESCRIPTORS
                                                                  : NVMI_DESCRIPTOR;
    uint64_t step = what == NVMI_DESCRIPTOR ? sizeof(int) : WORD_BYTES;
    if (p->see_volatile) {
        for (uint64_t at = from; end - at >= step; at += step)
            p->see_volatile(p->context, (unsigned char *)area->from + at, what);
        return;
    }
    for (uint64_t at = from; at < end; at++)
        any |= area->from[at] != 0;
    if (any && promised(p, name) == UNKNOWN)
        note_unknown(p, name);
}

/* One record or several, as far as the field reaches; `name` is that of the whole. */
static void look_in_field(const struct area *area, const struct nvm_field *f, uint64_t from,
                          uint64_t end, const char *name, unsigned depth)
{
    bool found = is_sought(area->pointers, f);
    if (!found && (!f->record || depth >= MOST_NESTED))
        return;
    char field[NAME_BYTES];
    snprintf(field, sizeof(field), "%.120s.%.70s", name, f->name);
    if (found) {
        see_field(area, f, from, end, field);
        return;
    }
    const struct nvm_disk_entry *record = nvmi_entry_find(NVM_ENTRY_LAYOUT, f->record);
    for (uint64_t at = from; record && record->a && at < end && end - at >= record->a;
         at += record->a)
        look_in_record(area, record, at, at + record->a, field, depth + 1);
}

static void look_in_record(const struct area *area, const struct nvm_disk_entry *layout,
                           uint64_t from, uint64_t end, const char *name, unsigned depth)
{
    struct nvmi_entry_field at = {0};
    for (unsigned i = 0; i < layout->field_count; i++) {
        at = nvmi_entry_field(layout, i ? &at : NULL);
        const struct nvm_field *f = &at.field;
        uint64_t room = end - from;
        if (f->offset >= room)
            continue;
        uint64_t size = f->size_bytes ? f->size_bytes : room - f->offset; /* flexible: the rest */
        if (size <= room - f->offset)
            look_in_field(area, f, from + f->offset, from + f->offset + size, name, depth);
    }
}

static bool has_sought(const struct nvmi_pointers *p, const struct nvm_disk_entry *layout,
                       unsigned depth)
{
    struct nvmi_entry_field at = {0};
    for (unsigned i = 0; layout && i < layout->field_count; i++) {
        at = nvmi_entry_field(layout, i ? &at : NULL);
        const struct nvm_field *f = &at.field;
        if (is_sought(p, f) ||
            (f->record && depth < MOST_NESTED &&
             has_sought(p, nvmi_entry_find(NVM_ENTRY_LAYOUT, f->record), depth + 1)))
            return true;
    }
    return false;
}

/* All records of an array, and what ends with the process in blocks that are full of them;
 * of other blocks the first alone is known. */
static void look_for_fields(const struct area *area)
{
    const struct nvm_disk_entry *layout = area->layout;
    char name[NAME_BYTES];
    if (!layout || !layout->a)
        return;
    const struct nvmi_pointers *p = area->pointers;
    bool all = p->see_volatile && p->of.fills_blocks;
    uint64_t step = has_flexible_end(layout) ? area->size_bytes : layout->a;
    for (uint64_t at = 0; at < area->size_bytes; at += step) {
        uint64_t left = area->size_bytes - at;
        if (at && (left < step || !(all || is_record_at(area, at, name))))
            break;
        look_in_record(area, layout, at, at + (left < step ? left : step), area->name, 0);
    }
}

/* A root array that leads here knows the fields that are kept. */
static bool is_array_at(struct area *area, const struct nvmi_block *block)
{
    for (struct nvm_disk_entry *e = nvmi_entry_first(); e; e = nvmi_entry_next(e)) {
        uint64_t word;
        if (e->kind != NVM_ENTRY_ARRAY)
            continue;
        memcpy(&word, nvmi_entry_value(e), sizeof(word));
        const unsigned char *p = nvmi_pool.heap + (word - area->pointers->reach->heap_address);
        if (p >= block->start && p < block->start + block->size_bytes) {
            area->from = p;
            area->layout = e;
            area->name = nvmi_entry_name(e);
            return true;
        }
    }
    return false;
}

/* A page is full of one type. */
static void know_type(struct nvmi_pointers *p, unsigned type)
{
    if (p->of.name && p->of.type == type)
        return;
    p->of.type = type;
    p->of.name = nvmi_type_name(type);
    p->of.prefix = nvmi_type_prefix(type);
    p->of.layout = nvmi_entry_find(NVM_ENTRY_LAYOUT, p->of.name);
    p->of.pointers = strcmp(p->of.name, nvm_type_pointers.name) == 0;
    p->of.sought = has_sought(p, p->of.layout, 0);
    p->of.fills_blocks = nvmi_type_fills_blocks(p->of.name);
}

/* Its bytes before the object are a header of the program's allocator. */
static void see_block(void *context, const struct nvmi_block *block)
{
    struct nvmi_pointers *p = context;
    if (!nvmi_is_reached(p->reach, block->start))
        return;
    know_type(p, block->type);
    struct area area = {
        .pointers = p, .from = block->start, .name = p->of.name, .all_pointers = p->of.pointers};
    bool sought = p->of.sought;
    if (p->of.prefix != NVMI_PREFIX_MIXED && p->of.prefix < block->size_bytes) {
        area.from += p->of.prefix;
        area.layout = p->of.layout;
    }
    if (!p->of.layout)
        sought = is_array_at(&area, block);
    area.size_bytes = (uint64_t)(block->start + block->size_bytes - area.from);
    look_through(&area);
    if (sought)
        look_for_fields(&area);
    struct area header = {.pointers = p,
                          .from = block->start,
                          .size_bytes = (uint64_t)(area.from - block->start),
                          .name = area.name};
    look_through(&header);
}

static void see_values(struct nvmi_pointers *p)
{
    for (struct nvm_disk_entry *e = nvmi_entry_first(); e; e = nvmi_entry_next(e)) {
        if (e->kind == NVM_ENTRY_STATIC) /* where it lies, for those who follow it */
            continue;
        struct area area = {.pointers = p,
                            .from = nvmi_entry_value(e),
                            .size_bytes = e->value_bytes,
                            .name = nvmi_entry_name(e),
                            .all_pointers = e->kind == NVM_ENTRY_ARRAY ||
                                            e->kind == NVM_ENTRY_REGION ||
                                            (e->kind == NVM_ENTRY_ROOT && e->b)};
        look_through(&area);
    }
    struct nvm_disk_heap *header = nvmi_heap_header();
    struct area load = {.pointers = p,
                        .from = (unsigned char *)&header->load_result,
                        .size_bytes = sizeof(header->load_result),
                        .name = "the load's result"};
    look_through(&load);
}

/* Blocks first: they are found by the values. */
void nvmi_pointers(struct nvmi_pointers *p)
{
    nvmi_each_committed(see_block, p);
    see_values(p);
}

/* Pointers changed by one commit: every engine has room for so many lines. */
#define POINTERS_AT_ONCE 4096u

void nvmi_pointers_commit(void)
{
    nvm_end();
    nvm_checkpoint();
    nvm_begin();
}

void nvmi_pointers_commit_some(uint64_t changed)
{
    if (changed % POINTERS_AT_ONCE == 0 && nvmi_pool.engine->hooked)
        nvmi_pointers_commit();
}
