/*===- table.c - entries of the pool's tables -------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "named/table.h"
#include "base/crc32c.h"
#include "base/error.h"
#include "base/pool.h"
#include "heap/state.h"
#include "hook/hook.h"
#include "medium/persist.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char *area(void)
{
    return nvmi_pool.heap + nvmi_pool.header.table_offset;
}

static uint32_t up8(size_t size_bytes)
{
    return (uint32_t)((size_bytes + 7) / 8 * 8);
}

static uint32_t entry_crc(const struct nvm_disk_entry *entry)
{
    struct nvm_disk_entry head = *entry;
    head.crc = 0;
    uint32_t crc = nvmi_crc32c(0, &head, sizeof(head));
    return nvmi_crc32c(crc, entry + 1, entry->value_offset - sizeof(head));
}

static struct nvm_disk_entry *entry_at(uint64_t offset)
{
    return offset < nvmi_heap_header()->table_used_bytes
               ? (struct nvm_disk_entry *)(void *)(area() + offset)
               : NULL;
}

struct nvm_disk_entry *nvmi_entry_first(void)
{
    return entry_at(0);
}

struct nvm_disk_entry *nvmi_entry_next(struct nvm_disk_entry *entry)
{
    return entry_at((uint64_t)((unsigned char *)entry - area()) + entry->size_bytes);
}

const char *nvmi_entry_name(const struct nvm_disk_entry *entry)
{
    return (const char *)(entry + 1);
}

void *nvmi_entry_value(struct nvm_disk_entry *entry)
{
    return (unsigned char *)entry + entry->value_offset;
}

struct nvm_disk_entry *nvmi_entry_find(unsigned kind, const char *name)
{
    struct nvm_disk_entry *entry = nvmi_entry_first();
    while (entry && (entry->kind != kind || strcmp(nvmi_entry_name(entry), name) != 0))
        entry = nvmi_entry_next(entry);
    return entry;
}

static size_t field_name_bytes(const struct nvm_field *f)
{
    return strlen(f->name) + 1 + (f->record ? strlen(f->record) + 1 : 0);
}

static size_t fields_bytes(struct nvmi_fields fields)
{
    size_t sum = 0;
    for (unsigned i = 0; i < fields.count; i++)
        sum += sizeof(struct nvm_disk_field) + up8(field_name_bytes(&fields.field[i]));
    return sum;
}

static void put_fields(unsigned char *to, struct nvmi_fields fields)
{
    for (unsigned i = 0; i < fields.count; i++) {
        const struct nvm_field *f = &fields.field[i];
        size_t own_bytes = strlen(f->name) + 1, name_bytes = field_name_bytes(f);
        struct nvm_disk_field d = {f->offset, f->size_bytes, (uint32_t)name_bytes, f->kind};
        memcpy(to, &d, sizeof(d));
        memcpy(to + sizeof(d), f->name, own_bytes);
        if (f->record)
            memcpy(to + sizeof(d) + own_bytes, f->record, name_bytes - own_bytes);
        to += sizeof(d) + up8(name_bytes);
    }
}

uint64_t nvmi_entry_room(void)
{
    return nvmi_pool.header.table_size_bytes - nvmi_heap_header()->table_used_bytes;
}

size_t nvmi_entry_bytes(const char *name, uint32_t value_bytes)
{
    return sizeof(struct nvm_disk_entry) + up8(strlen(name) + 1) + up8(value_bytes);
}

bool nvmi_entry_rename(struct nvm_disk_entry *entry, const char *name)
{
    size_t name_bytes = strlen(name) + 1, room = entry->value_offset - sizeof(*entry);
    if (entry->field_count || name_bytes > room || name_bytes > UINT16_MAX)
        return false;
    nvm_store(entry, entry->value_offset);
    memset(entry + 1, 0, room);
    memcpy(entry + 1, name, name_bytes);
    entry->name_bytes = (uint16_t)name_bytes;
    entry->crc = entry_crc(entry);
    return true;
}

struct nvm_disk_entry *nvmi_entry_add(unsigned kind, const char *name, uint64_t a, uint64_t b,
                                      struct nvmi_fields fields, uint32_t value_bytes)
{
    struct nvm_disk_heap *header = nvmi_heap_header();
    size_t name_bytes = strlen(name) + 1;
    size_t fixed = sizeof(struct nvm_disk_entry) + up8(name_bytes) + fields_bytes(fields);
    size_t whole = fixed + up8(value_bytes);
    if (name_bytes > UINT16_MAX || whole > UINT32_MAX || whole > nvmi_entry_room())
        nvmi_die(NVMI_EXIT_FULL, "pool-full",
                 "%s: no room in the tables for %.100s: a new pool has it, made by this program",
                 nvmi_pool.path, name);
    struct nvm_disk_entry *entry =
        (struct nvm_disk_entry *)(void *)(area() + header->table_used_bytes);
    memset(nvm_store(entry, whole), 0, whole);
    *entry = (struct nvm_disk_entry){.size_bytes = (uint32_t)whole,
                                     .value_offset = (uint32_t)fixed,
                                     .kind = (uint16_t)kind,
                                     .name_bytes = (uint16_t)name_bytes,
                                     .field_count = fields.count,
                                     .value_bytes = value_bytes,
                                     .a = a,
                                     .b = b};
    memcpy(entry + 1, name, name_bytes);
    put_fields((unsigned char *)(entry + 1) + up8(name_bytes), fields);
    entry->crc = entry_crc(entry);
    if (!nvmi_is_covered()) { /* the header must not know of half an entry */
        nvmi_persist->flush(entry, whole);
        nvmi_persist->fence();
    }
    nvmi_heap_change()->table_used_bytes += whole;
    return entry;
}

struct nvmi_entry_field nvmi_entry_field(const struct nvm_disk_entry *entry,
                                         const struct nvmi_entry_field *previous)
{
    const unsigned char *at = (const unsigned char *)(entry + 1) + up8(entry->name_bytes);
    if (previous)
        at = (const unsigned char *)(previous->disk + 1) + up8(previous->disk->name_bytes);
    const struct nvm_disk_field *disk = (const void *)at;
    const char *name = (const char *)(disk + 1);
    size_t own_bytes = strlen(name) + 1;
    const char *record = own_bytes < disk->name_bytes ? name + own_bytes : NULL;
    return (struct nvmi_entry_field){disk,
                                     {name, disk->offset, disk->size_bytes, disk->kind, record}};
}

/* Compilers disagree about which integers are characters, Boolean or of an
 * enumeration. */
static unsigned class_of(unsigned kind)
{
    unsigned class = kind & 0xff;
    return class >= 2 && class <= 5 ? 2 : class;
}

static const char *class_name(unsigned class)
{
    switch (class) {
    case 2:
        return "an integer";
    case 6:
        return "a pointer or an array";
    case 9:
        return "a real number";
    case 13:
        return "a struct";
    case 14:
        return "a union";
    default:
        return "of another type";
    }
}

/* What differs, one thing after the other. */
struct difference {
    char *text;
    size_t room, used;
};

static void __attribute__((format(printf, 2, 3))) report(struct difference *d, const char *format,
                                                         ...)
{
    va_list arguments;
    size_t left = d->room - d->used;
    int n = d->used ? snprintf(d->text + d->used, left, "; ") : 0;
    if ((size_t)n >= left)
        return;
    d->used += (size_t)n;
    va_start(arguments, format);
    n = vsnprintf(d->text + d->used, d->room - d->used, format, arguments);
    va_end(arguments);
    d->used = d->used + (size_t)n < d->room ? d->used + (size_t)n : d->room - 1;
}

/* What recovery puts back must not depend on what the program says since. */
static bool is_line_log(const struct nvm_field *f)
{
    return nvmi_is_kind(f, NVM_KIND_LINE_LOG);
}

/* The classes are compared if both are known, the names of records likewise. */
static void compare_field(const struct nvm_field *was, const struct nvm_field *is,
                          struct difference *d)
{
    unsigned old = class_of(was->kind), now = class_of(is->kind);
    if (is->offset != was->offset || is->size_bytes != was->size_bytes)
        report(d, "field %s was %lu bytes at offset %lu and is %lu bytes at offset %lu", was->name,
               was->size_bytes, was->offset, is->size_bytes, is->offset);
    if (old && now && old != now)
        report(d, "field %s was %s and is %s", was->name, class_name(old), class_name(now));
    if (is_line_log(was) != is_line_log(is))
        report(d, "field %s was %s log of its line and is %s", was->name,
               is_line_log(was) ? "the" : "no", is_line_log(is) ? "one" : "none");
    if (was->record && is->record && strcmp(was->record, is->record) != 0)
        report(d, "field %s was of type %s and is of type %s", was->name, was->record, is->record);
}

static const struct nvm_field *field_named(struct nvmi_fields fields, const char *name)
{
    for (unsigned i = 0; i < fields.count; i++)
        if (strcmp(fields.field[i].name, name) == 0)
            return &fields.field[i];
    return NULL;
}

static bool has_field(const struct nvm_disk_entry *entry, const char *name)
{
    struct nvmi_entry_field at = {0};
    for (unsigned i = 0; i < entry->field_count; i++) {
        at = nvmi_entry_field(entry, i ? &at : NULL);
        if (strcmp(at.field.name, name) == 0)
            return true;
    }
    return false;
}

bool nvmi_entry_differs(const struct nvm_disk_entry *entry, struct nvmi_fields fields, char *text,
                        size_t text_bytes)
{
    struct difference d = {text, text_bytes, 0};
    struct nvmi_entry_field at = {0};
    for (unsigned i = 0; i < entry->field_count; i++) {
        at = nvmi_entry_field(entry, i ? &at : NULL);
        const struct nvm_field *is = field_named(fields, at.field.name);
        if (is)
            compare_field(&at.field, is, &d);
        else
            report(&d, "field %s is gone", at.field.name);
    }
    for (unsigned i = 0; i < fields.count; i++)
        if (!has_field(entry, fields.field[i].name))
            report(&d, "field %s is new", fields.field[i].name);
    return d.used > 0;
}

void nvmi_entry_adopt_kinds(struct nvm_disk_entry *entry, struct nvmi_fields fields)
{
    struct nvmi_entry_field at = {0};
    bool changed = false;
    for (unsigned i = 0; i < entry->field_count; i++) {
        at = nvmi_entry_field(entry, i ? &at : NULL);
        struct nvm_disk_field *disk = (struct nvm_disk_field *)at.disk;
        unsigned kind = field_named(fields, at.field.name)->kind;
        /* An entry has no room for the name of a record that it did not have. */
        if ((kind & ~0xffu) == NVM_KIND_RECORD && !at.field.record)
            kind &= 0xff;
        if (disk->kind != kind) {
            NVM(disk->kind) = kind;
            changed = true;
        }
    }
    if (changed)
        NVM(entry->crc) = entry_crc(entry);
}

void nvmi_entry_set_b(struct nvm_disk_entry *entry, uint64_t b)
{
    if (entry->b == b)
        return;
    nvm_store(&entry->b, sizeof(entry->b));
    __atomic_store_n(&entry->b, b, __ATOMIC_RELAXED); /* read without a lock */
    NVM(entry->crc) = entry_crc(entry);
}

/* Every offset is checked before anything is read through it. */
int nvmi_table_check(void)
{
    uint64_t used = nvmi_heap_header()->table_used_bytes, at = 0;
    unsigned number = 0;
    bool fine =
        nvmi_heap_header()->magic == NVM_HEAP_MAGIC && used <= nvmi_pool.header.table_size_bytes;
    while (fine && at < used) {
        const struct nvm_disk_entry *entry = entry_at(at);
        uint64_t room = used - at;
        fine = room >= sizeof(*entry) && entry->size_bytes <= room && entry->size_bytes % 8 == 0 &&
               entry->value_offset >= sizeof(*entry) && entry->value_offset <= entry->size_bytes &&
               entry->value_bytes <= entry->size_bytes - entry->value_offset &&
               entry->crc == entry_crc(entry);
        at += fine ? entry->size_bytes : 0;
        number += fine;
    }
    return fine ? 0
                : nvmi_fail(EINVAL, "pool-damaged", "%s: entry %u of the tables is damaged",
                            nvmi_pool.path, number);
}

void nvmi_register_early(const char *what, const char *name)
{
    if (nvmi_pool.open)
        nvmi_die(NVMI_EXIT_START, "registered-late",
                 "%s %s is registered after the pool was opened: a plug-in that registers "
                 "something has to be loaded before nvm_start()",
                 what, name);
}

void *nvmi_grow(void *items, size_t count, size_t *capacity, size_t item_bytes, const char *what)
{
    if (count < *capacity)
        return items;
    *capacity = *capacity ? 2 * *capacity : 16;
    items = realloc(items, *capacity * item_bytes);
    if (!items)
        nvmi_die(NVMI_EXIT_START, "no-memory", "no memory for %s", what);
    return items;
}
