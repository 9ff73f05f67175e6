/*===- statics.c - statics that objects point to and the program writes -----===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "named/statics.h"
#include "base/error.h"
#include "base/image.h"
#include "base/pool.h"
#include "named/table.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Below, and from there on, words are no addresses but numbers: 1, -1. */
#define FIRST_ADDRESS ((uint64_t)1 << 16)
#define END_OF_ADDRESSES ((uint64_t)1 << 47)

static struct nvmi_static *objects;
static size_t object_count, object_capacity, image_count;

const struct nvmi_static *nvmi_static_find(const char *name)
{
    for (size_t i = 0; i < object_count; i++)
        if (strcmp(objects[i].name, name) == 0)
            return &objects[i];
    return NULL;
}

static void add(struct nvmi_static o)
{
    nvmi_register_early("static", o.name);
    image_count += o.build != 0;
    if (object_count == NVMI_MOST_STATICS || image_count > NVMI_MOST_IMAGES ||
        o.size_bytes >= NVMI_STATIC_BYTES)
        nvmi_die(NVMI_EXIT_START, "static-size",
                 "static %s: at most %u statics, each below 4 GiB, can be followed", o.name,
                 NVMI_MOST_STATICS);
    objects = nvmi_grow(objects, object_count, &object_capacity, sizeof(*objects), "the statics");
    objects[object_count++] = o;
}

void nvm_register_static(const char *name, const volatile void *address, unsigned long size_bytes,
                         unsigned long element_bytes)
{
    if (nvmi_static_find(name))
        nvmi_die(NVMI_EXIT_START, "static-twice", "static %s is registered twice", name);
    add((struct nvmi_static){name, (uintptr_t)address, size_bytes, element_bytes, 0});
}

void nvm_register_static_function(const char *name, nvm_function *function)
{
    void *address;
    memcpy(&address, &function, sizeof(address));
    nvm_register_static(name, address, 1, 1);
}

void nvm_register_literals(const void *address)
{
    struct nvmi_image image;
    if (!nvmi_image_of(address, &image))
        nvmi_bug("no part of the program contains the literal at %p", address);
    if (nvmi_static_find(image.name))
        return;
    char *name = strdup(image.name);
    if (!name)
        nvmi_die(NVMI_EXIT_START, "no-memory", "no memory for the statics");
    add((struct nvmi_static){name, image.from, image.end - image.from, 1,
                             (uint64_t)1 << 32 | image.crc});
}

static struct nvm_disk_entry *next_static(struct nvm_disk_entry *e)
{
    while (e && e->kind != NVM_ENTRY_STATIC)
        e = nvmi_entry_next(e);
    return e;
}

struct nvm_disk_entry *nvmi_static_first(void)
{
    return next_static(nvmi_entry_first());
}

struct nvm_disk_entry *nvmi_static_next(struct nvm_disk_entry *e)
{
    return next_static(nvmi_entry_next(e));
}

struct nvmi_static_value nvmi_static_recorded(struct nvm_disk_entry *e)
{
    struct nvmi_static_value value;
    memcpy(&value, nvmi_entry_value(e), sizeof(value));
    return value;
}

void nvmi_static_record(struct nvm_disk_entry *e, const struct nvmi_static *o)
{
    struct nvmi_static_value value = {o->address, o->build}, old = nvmi_static_recorded(e);
    if (memcmp(&value, &old, sizeof(value)) != 0)
        memcpy(nvm_store(nvmi_entry_value(e), sizeof(value)), &value, sizeof(value));
    nvmi_entry_set_b(e, o->size_bytes);
}

bool nvmi_static_is_of_another_build(struct nvm_disk_entry *e)
{
    return nvmi_static_recorded(e).build != nvmi_static_find(nvmi_entry_name(e))->build;
}

static int check(struct nvm_disk_entry *e)
{
    const char *path = nvmi_pool.path, *name = nvmi_entry_name(e);
    const struct nvmi_static *object = nvmi_static_find(name);
    if (e->value_bytes != sizeof(struct nvmi_static_value))
        return nvmi_fail(EINVAL, "pool-damaged", "%s: the entry of static %s is damaged", path,
                         name);
    if (!object)
        return nvmi_fail(ENOEXEC, "pool-layout",
                         "%s: objects may point to static %s, which this program does not have",
                         path, name);
    if (object->element_bytes != e->a)
        return nvmi_fail(ENOEXEC, "pool-layout",
                         "%s: an element of static %s had %llu bytes and now has %zu", path, name,
                         (unsigned long long)e->a, object->element_bytes);
    if (object->size_bytes < e->b && !object->build)
        return nvmi_fail(ENOEXEC, "pool-layout",
                         "%s: static %s has shrunk from %llu to %zu bytes; objects may point to "
                         "the removed part",
                         path, name, (unsigned long long)e->b, object->size_bytes);
    return 0;
}

int nvmi_statics_match(void)
{
    int error = 0;
    for (struct nvm_disk_entry *e = nvmi_static_first(); e && !error; e = nvmi_static_next(e))
        error = check(e);
    return error;
}

bool nvmi_static_has_moved(struct nvm_disk_entry *e)
{
    return nvmi_static_recorded(e).address != nvmi_static_find(nvmi_entry_name(e))->address ||
           nvmi_static_is_of_another_build(e);
}

bool nvmi_statics_moved(void)
{
    bool moved = nvmi_heap_header()->statics_named;
    for (struct nvm_disk_entry *e = nvmi_static_first(); e; e = nvmi_static_next(e))
        moved |= nvmi_static_has_moved(e);
    return moved;
}

bool nvmi_statics_moved_on_stack(void)
{
    bool images = false;
    for (struct nvm_disk_entry *e = nvmi_static_first(); e; e = nvmi_static_next(e))
        images |= nvmi_static_has_moved(e) &&
                  nvmi_image_holds(
                      (const void *)(uintptr_t)nvmi_static_find(nvmi_entry_name(e))->address);
    return !images;
}

static bool is_in_static(uint64_t address)
{
    for (size_t i = 0; i < object_count; i++)
        if (address - objects[i].address < objects[i].size_bytes)
            return true;
    return false;
}

bool nvmi_is_of_another_process(uint64_t word)
{
    return word >= FIRST_ADDRESS && word < END_OF_ADDRESSES &&
           word - nvmi_pool.header.heap_address >= nvmi_pool.header.arena_size_bytes &&
           !is_in_static(word);
}

void nvmi_statics_enter(void)
{
    for (size_t i = 0; i < object_count; i++) {
        const struct nvmi_static *o = &objects[i];
        struct nvm_disk_entry *e = nvmi_entry_find(NVM_ENTRY_STATIC, o->name);
        if (!e)
            e = nvmi_entry_add(NVM_ENTRY_STATIC, o->name, o->element_bytes, o->size_bytes,
                               (struct nvmi_fields){0}, sizeof(struct nvmi_static_value));
        nvmi_static_record(e, o);
    }
}

bool nvmi_statics_may_move(void)
{
    for (size_t i = 0; i < object_count; i++)
        if (nvmi_image_moves((const void *)(uintptr_t)objects[i].address))
            return true;
    return false;
}

void nvmi_statics_warn(void)
{
    char names[200] = "";
    size_t used = 0;
    bool moves = nvmi_statics_may_move(), more = false;
    for (struct nvm_disk_entry *e = nvmi_entry_first(); e && moves; e = nvmi_entry_next(e)) {
        struct nvmi_entry_field at = {0};
        for (unsigned i = 0; e->kind == NVM_ENTRY_LAYOUT && i < e->field_count; i++) {
            at = nvmi_entry_field(e, i ? &at : NULL);
            const char *type = nvmi_entry_name(e);
            if (!nvmi_is_kind(&at.field, NVM_KIND_COMPUTED))
                continue;
            if (used + strlen(type) + strlen(at.field.name) + 4 < sizeof(names))
                used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s.%s",
                                         used ? ", " : "", type, at.field.name);
            else
                more = true;
        }
    }
    if (used)
        nvmi_note(
            "pool %s: this program is position-independent: a start with other addresses of "
            "its statics will be refused [pointers-unknown] once one of these, which may be "
            "computed from such addresses, is not zero: %s%s; link with -no-pie, or allow it to "
            "turn address randomisation off (NVM_ASLR, personality())",
            nvmi_pool.path, names, more ? ", .." : "");
}
