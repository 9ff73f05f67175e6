/*===- types.c - types of objects -------------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "named/types.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/pool.h"
#include "heap/arena.h"
#include "heap/line_logs.h"
#include "heap/state.h"
#include "hook/hook.h"
#include "named/line_log_types.h"
#include "named/table.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct nvm_type nvm_type_bytes = {"bytes", 0, 0, 0, 0};
struct nvm_type nvm_type_pointers = {"pointers", 0, 0, 0, 0};

/* Types with a layout, as registered by the program's constructors. */
static struct nvm_type **layouts;
static size_t layout_count, layout_capacity;

struct nvmi_type_number *nvmi_type_numbers; /* by number */
static unsigned number_count;               /* numbers 1 .. number_count are in use */

void nvm_layout(struct nvm_type *type, unsigned long size_bytes, const struct nvm_field *fields,
                unsigned field_count)
{
    layouts = nvmi_grow(layouts, layout_count, &layout_capacity, sizeof(struct nvm_type *),
                        "the types' layouts");
    for (size_t i = 0; i < layout_count; i++)
        if (strcmp(layouts[i]->name, type->name) == 0)
            nvmi_die(NVMI_EXIT_START, "layout-twice", "type %s has two layouts", type->name);
    type->size_bytes = size_bytes;
    type->fields = fields;
    type->field_count = field_count;
    layouts[layout_count++] = type;
}

/* Names of those of which blocks are full. */
static const char **element_names;
static size_t element_name_count, element_name_capacity;

void nvm_elements(struct nvm_type *type)
{
    element_names = nvmi_grow(element_names, element_name_count, &element_name_capacity,
                              sizeof(*element_names), "the types of elements");
    element_names[element_name_count++] = type->name;
}

bool nvmi_type_fills_blocks(const char *name)
{
    for (size_t i = 0; i < element_name_count; i++)
        if (strcmp(element_names[i], name) == 0)
            return true;
    return false;
}

static struct nvmi_fields fields_of(const struct nvm_type *type)
{
    return (struct nvmi_fields){type->fields, type->field_count};
}

const struct nvm_type *nvmi_type_layout(const char *name)
{
    for (size_t i = 0; i < layout_count; i++)
        if (strcmp(layouts[i]->name, name) == 0)
            return layouts[i];
    return NULL;
}

static int check_layout(const struct nvm_disk_entry *entry)
{
    const char *name = nvmi_entry_name(entry);
    const struct nvm_type *type = nvmi_type_layout(name);
    char text[800];
    if (!type)
        return nvmi_fail(ENOEXEC, "pool-layout",
                         "%s holds objects of type %s, which this program does not have",
                         nvmi_pool.path, name);
    if (nvmi_entry_differs(entry, fields_of(type), text, sizeof(text)))
        return nvmi_fail(
            ENOEXEC, "pool-layout", "%s has another layout of type %s (%llu bytes, now %lu): %s",
            nvmi_pool.path, name, (unsigned long long)entry->a, type->size_bytes, text);
    if (type->size_bytes != entry->a)
        return nvmi_fail(ENOEXEC, "pool-layout",
                         "%s has another layout of type %s: its size was %llu and is %lu",
                         nvmi_pool.path, name, (unsigned long long)entry->a, type->size_bytes);
    return 0;
}

int nvmi_types_check(void)
{
    int error = 0;
    struct nvm_disk_entry *entry = nvmi_entry_first();
    for (; entry && !error; entry = nvmi_entry_next(entry))
        if (entry->kind == NVM_ENTRY_LAYOUT)
            error = check_layout(entry);
    return error;
}

static void add_number(struct nvm_disk_entry *entry)
{
    unsigned id = (unsigned)entry->a;
    nvmi_type_numbers[id].entry = entry;
    nvmi_type_numbers[id].b = entry->b;
    __atomic_store_n(&number_count, id, __ATOMIC_RELEASE);
}

void nvmi_types_read(void)
{
    nvmi_type_numbers = nvmi_reserve((NVMI_MAX_TYPES + 1) * sizeof(*nvmi_type_numbers));
    if (!nvmi_type_numbers)
        nvmi_die(NVMI_EXIT_START, "no-memory", "no address space for the types");
    for (struct nvm_disk_entry *e = nvmi_entry_first(); e; e = nvmi_entry_next(e))
        if (e->kind == NVM_ENTRY_TYPE)
            add_number(e);
    nvmi_line_logs_read();
}

void nvmi_types_adopt(void)
{
    for (size_t i = 0; i < layout_count; i++) {
        struct nvm_disk_entry *entry = nvmi_entry_find(NVM_ENTRY_LAYOUT, layouts[i]->name);
        if (entry)
            nvmi_entry_adopt_kinds(entry, fields_of(layouts[i]));
    }
}

bool nvmi_types_are_volatile(void)
{
    for (size_t i = 0; i < layout_count; i++)
        for (unsigned k = 0; k < layouts[i]->field_count; k++)
            if (nvmi_is_kind(&layouts[i]->fields[k], NVM_KIND_VOLATILE) ||
                nvmi_is_kind(&layouts[i]->fields[k], NVM_KIND_DESCRIPTOR))
                return true;
    return false;
}

void nvmi_types_enter(void)
{
    nvmi_types_read();
    nvmi_line_logs_open();
    if (nvmi_pool.bare)
        return;
    nvmi_types_adopt();
    for (size_t i = 0; i < layout_count; i++)
        if (!nvmi_entry_find(NVM_ENTRY_LAYOUT, layouts[i]->name))
            nvmi_entry_add(NVM_ENTRY_LAYOUT, layouts[i]->name, layouts[i]->size_bytes, 0,
                           fields_of(layouts[i]), 0);
}

/* Number and checksum are two words: in a section both or none. */
static bool prefixes_wait;

void nvmi_types_close(void)
{
    nvmi_release(nvmi_type_numbers, (NVMI_MAX_TYPES + 1) * sizeof(*nvmi_type_numbers));
    nvmi_type_numbers = NULL;
    number_count = 0;
    prefixes_wait = false;
}

static unsigned find_id(struct nvm_type *type)
{
    unsigned id = 1;
    while (id <= number_count &&
           strcmp(nvmi_entry_name(nvmi_type_numbers[id].entry), type->name) != 0)
        id++;
    if (id <= number_count)
        return id;
    if (number_count == NVMI_MAX_TYPES)
        nvmi_die(NVMI_EXIT_FULL, "pool-full", "too many types");
    add_number(nvmi_entry_add(NVM_ENTRY_TYPE, type->name, number_count + 1, 0,
                              (struct nvmi_fields){0}, 0));
    nvmi_line_logs_add_type(id, type->name);
    return id;
}

unsigned nvmi_type_enter(struct nvm_type *type)
{
    nvmi_pages_lock();
    unsigned id = find_id(type);
    __atomic_store_n(&nvmi_type_numbers[id].bound, type, __ATOMIC_RELEASE);
    __atomic_store_n(&type->id, id, __ATOMIC_RELEASE);
    nvmi_pages_unlock();
    return id;
}

const char *nvmi_type_name(unsigned id)
{
    return id && id <= number_count ? nvmi_entry_name(nvmi_type_numbers[id].entry) : "?";
}

/* Larger ones are no headers of an allocator's. */
#define LARGEST_PREFIX 256u

void nvmi_types_collect(void)
{
    for (unsigned id = 1; prefixes_wait && id <= number_count; id++)
        nvmi_entry_set_b(nvmi_type_numbers[id].entry, nvmi_type_numbers[id].b);
    prefixes_wait = false;
}

void nvmi_type_saw_other(struct nvm_type *type, uint64_t prefix_bytes)
{
    uint64_t b = prefix_bytes <= LARGEST_PREFIX ? prefix_bytes + 1 : NVMI_PREFIX_MIXED;
    unsigned id = nvmi_type_id(type);
    struct nvmi_type_number *number = &nvmi_type_numbers[id];
    pthread_mutex_lock(&nvmi_heap_lock);
    if (number->b && number->b != b)
        b = NVMI_PREFIX_MIXED;
    __atomic_store_n(&number->b, b, __ATOMIC_RELAXED);
    if (nvmi_is_covered())
        nvmi_entry_set_b(number->entry, b);
    else
        prefixes_wait = true;
    if (b > 1) /* that block begins with something else than its object */
        nvmi_line_logs_drop_type(id);
    pthread_mutex_unlock(&nvmi_heap_lock);
}

static uint64_t prefix_of(uint64_t b)
{
    return b && b != NVMI_PREFIX_MIXED ? b - 1 : NVMI_PREFIX_MIXED;
}

uint64_t nvmi_entry_prefix(const struct nvm_disk_entry *type)
{
    return prefix_of(type->b);
}

uint64_t nvmi_type_prefix(unsigned id)
{
    return id && id <= number_count ? prefix_of(nvmi_type_numbers[id].b) : NVMI_PREFIX_MIXED;
}
