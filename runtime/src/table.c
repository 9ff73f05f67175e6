/*===- table.c - entries of the pool's tables -------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "crc32c.h"
#include "named.h"
#include <errno.h>
#include <stdio.h>
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

static size_t fields_bytes(struct nvmi_fields fields)
{
    size_t sum = 0;
    for (unsigned i = 0; i < fields.count; i++)
        sum += sizeof(struct nvm_disk_field) + up8(strlen(fields.field[i].name) + 1);
    return sum;
}

static void put_fields(unsigned char *to, struct nvmi_fields fields)
{
    for (unsigned i = 0; i < fields.count; i++) {
        const struct nvm_field *f = &fields.field[i];
        size_t name_bytes = strlen(f->name) + 1;
        struct nvm_disk_field d = {f->offset, f->size_bytes, (uint32_t)name_bytes, 0};
        memcpy(to, &d, sizeof(d));
        memcpy(to + sizeof(d), f->name, name_bytes);
        to += sizeof(d) + up8(name_bytes);
    }
}

struct nvm_disk_entry *nvmi_entry_add(unsigned kind, const char *name, uint64_t a, uint64_t b,
                                      struct nvmi_fields fields, uint32_t value_bytes)
{
    struct nvm_disk_heap *header = nvmi_heap_header();
    size_t name_bytes = strlen(name) + 1;
    size_t fixed = sizeof(struct nvm_disk_entry) + up8(name_bytes) + fields_bytes(fields);
    size_t whole = fixed + up8(value_bytes);
    if (name_bytes > UINT16_MAX || whole > UINT32_MAX ||
        whole > nvmi_pool.header.table_size_bytes - header->table_used_bytes)
        nvmi_die(NVMI_EXIT_FULL, "pool-full", "%s: no room in the tables for %.100s",
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
    NVM(header->table_used_bytes) += whole;
    return entry;
}

bool nvmi_entry_differs(const struct nvm_disk_entry *entry, struct nvmi_fields fields, char *text,
                        size_t text_bytes)
{
    const unsigned char *at = (const unsigned char *)(entry + 1) + up8(entry->name_bytes);
    for (unsigned i = 0; i < entry->field_count; i++) {
        struct nvm_disk_field d;
        memcpy(&d, at, sizeof(d));
        const char *name = (const char *)at + sizeof(d);
        at += sizeof(d) + up8(d.name_bytes);
        if (i >= fields.count) {
            snprintf(text, text_bytes, "field %s is gone", name);
            return true;
        }
        const struct nvm_field *f = &fields.field[i];
        if (strcmp(f->name, name) != 0) {
            snprintf(text, text_bytes, "field %s has become %s", name, f->name);
            return true;
        }
        if (f->offset != d.offset || f->size_bytes != d.size_bytes) {
            snprintf(text, text_bytes,
                     "field %s was %llu bytes at offset %llu and is %lu bytes at offset %lu", name,
                     (unsigned long long)d.size_bytes, (unsigned long long)d.offset, f->size_bytes,
                     f->offset);
            return true;
        }
    }
    if (fields.count > entry->field_count) {
        snprintf(text, text_bytes, "field %s is new", fields.field[entry->field_count].name);
        return true;
    }
    return false;
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
