/*===- statics.c - statics that objects point to and the program writes -----===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Pointers to them lead to where they lie in the process that has the pool. A next
 * one may have them elsewhere (address space layout, another build): then all such
 * pointers in the pool are changed when it is opened, by ordinary commits of any
 * engine, in two steps:
 *
 *   1. from the recorded addresses to numbers that no process has as addresses;
 *   2. from the numbers to the new addresses, which have become the recorded ones.
 *
 * At every cut a pointer is a number or leads to the recorded address, and these two
 * cannot be taken for each other: whoever comes next begins with step 1 again. Old
 * and new addresses often overlap, so one step would not do.
 */
#include "engines/engine.h"
#include "log.h"
#include "named.h"
#include "nvmove/restart.h"
#include "pointers.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The numbers: 4 GiB of them for each static. */
#define NUMBERS_FROM ((uint64_t)0x600000000000)
#define NUMBERS_EACH ((uint64_t)1 << 32)
#define MOST_STATICS 4096u
/* Small numbers are often just numbers: there, what is not known is refused. */
#define LOW_ADDRESSES ((uint64_t)1 << 32)
/* Pointers changed by one commit: every engine has room for so many lines. */
#define POINTERS_AT_ONCE 4096u

struct object {
    const char *name;
    void *address;
    size_t size_bytes, element_bytes;
};
static struct object *objects;
static size_t object_count, object_capacity;

void nvm_register_static(const char *name, void *address, unsigned long size_bytes,
                         unsigned long element_bytes)
{
    if (nvmi_pool.open)
        nvmi_bug("static %s is registered after the pool was opened", name);
    for (size_t i = 0; i < object_count; i++)
        if (strcmp(objects[i].name, name) == 0)
            nvmi_die(NVMI_EXIT_START, "static-twice", "static %s is registered twice", name);
    if (object_count == MOST_STATICS || size_bytes >= NUMBERS_EACH)
        nvmi_die(NVMI_EXIT_START, "static-size",
                 "static %s: at most %u of them, each below 4 GiB, can be followed", name,
                 MOST_STATICS);
    objects = nvmi_grow(objects, object_count, &object_capacity, sizeof(*objects), "the statics");
    objects[object_count++] = (struct object){name, address, size_bytes, element_bytes};
}

static const struct object *find(const char *name)
{
    for (size_t i = 0; i < object_count; i++)
        if (strcmp(objects[i].name, name) == 0)
            return &objects[i];
    return NULL;
}

static struct nvm_disk_entry *next_static(struct nvm_disk_entry *e)
{
    while (e && e->kind != NVM_ENTRY_STATIC)
        e = nvmi_entry_next(e);
    return e;
}

static struct nvm_disk_entry *first(void)
{
    return next_static(nvmi_entry_first());
}

static struct nvm_disk_entry *next(struct nvm_disk_entry *e)
{
    return next_static(nvmi_entry_next(e));
}

static uint64_t recorded(struct nvm_disk_entry *e)
{
    uint64_t address;
    memcpy(&address, nvmi_entry_value(e), sizeof(address));
    return address;
}

static void record(struct nvm_disk_entry *e, uint64_t address)
{
    void *value = nvmi_entry_value(e);
    memcpy(nvm_store(value, sizeof(address)), &address, sizeof(address));
}

static int check(const struct nvm_disk_entry *e)
{
    const char *path = nvmi_pool.path, *name = nvmi_entry_name(e);
    const struct object *object = find(name);
    if (!object)
        return nvmi_fail(ENOEXEC, "pool-layout",
                         "%s: objects may point to static %s, which this program does not have",
                         path, name);
    if (object->element_bytes != e->a)
        return nvmi_fail(ENOEXEC, "pool-layout",
                         "%s: an element of static %s was %llu bytes and is %zu", path, name,
                         (unsigned long long)e->a, object->element_bytes);
    if (object->size_bytes < e->b)
        return nvmi_fail(ENOEXEC, "pool-layout",
                         "%s: static %s has shrunk from %llu to %zu bytes; objects may point to "
                         "what is gone",
                         path, name, (unsigned long long)e->b, object->size_bytes);
    return 0;
}

bool nvmi_statics_moved(void)
{
    bool moved = nvmi_heap_header()->statics_named;
    for (struct nvm_disk_entry *e = first(); e; e = next(e))
        moved |= recorded(e) != (uintptr_t)find(nvmi_entry_name(e))->address;
    return moved;
}

void nvmi_statics_enter(void)
{
    for (size_t i = 0; i < object_count; i++) {
        const struct object *o = &objects[i];
        struct nvm_disk_entry *e = nvmi_entry_find(NVM_ENTRY_STATIC, o->name);
        if (!e)
            record(nvmi_entry_add(NVM_ENTRY_STATIC, o->name, o->element_bytes, o->size_bytes,
                                  (struct nvmi_fields){0}, sizeof(uint64_t)),
                   (uintptr_t)o->address);
        else
            nvmi_entry_set_b(e, o->size_bytes);
    }
}

/*===-- To where they are now ------------------------------------------------===*/

/* A static, and where pointers to it shall lead. */
struct range {
    uint64_t from, size_bytes, to;
};

static struct range *new_ranges(void)
{
    struct range *range = calloc(MOST_STATICS, sizeof(*range));
    if (!range)
        nvmi_fail(ENOMEM, "no-memory", "no memory for the addresses of statics");
    return range;
}

struct step {
    struct range *range; /* sorted by `from` */
    size_t count;
    uint64_t changed;
    bool write;
};

/* An address behind the last byte belongs to the static as well, unless another
 * begins there. */
static const struct range *range_at(const struct step *step, uint64_t address)
{
    size_t low = 0, high = step->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (step->range[middle].from <= address)
            low = middle + 1;
        else
            high = middle;
    }
    const struct range *r = low ? &step->range[low - 1] : NULL;
    return r && address - r->from <= r->size_bytes ? r : NULL;
}

static bool leads(void *context, uint64_t address)
{
    return range_at(context, address) != NULL;
}

static void commit(void)
{
    nvm_end();
    nvm_checkpoint();
    nvm_begin();
}

/* Bits above an address's are the program's own. */
static void change_pointer(void *context, unsigned char *place)
{
    const uint64_t address_bits = ((uint64_t)1 << 48) - 1;
    struct step *step = context;
    uint64_t word;
    memcpy(&word, place, sizeof(word));
    const struct range *r = range_at(step, word & address_bits);
    step->changed++;
    if (!step->write || !r)
        return;
    word += r->to - r->from;
    memcpy(nvm_store(place, sizeof(word)), &word, sizeof(word));
    if (step->changed % POINTERS_AT_ONCE == 0 && nvmi_pool.engine->hooked)
        commit();
}

static int by_address(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

/* Calls change_pointer() for all that lead to the step's ranges. */
static struct nvmi_pointers take(struct step *step, const struct nvmi_reach *reach)
{
    qsort(step->range, step->count, sizeof(*step->range), by_address);
    const struct range *last = &step->range[step->count - 1];
    uint64_t from = step->range[0].from / NVM_PAGE_BYTES * NVM_PAGE_BYTES;
    struct nvmi_pointers pointers = {.reach = reach,
                                     .target = from,
                                     .leads = leads,
                                     .presumed = from >= LOW_ADDRESSES,
                                     .see = change_pointer,
                                     .context = step};
    pointers.target_bytes =
        (last->from + last->size_bytes - from) / NVM_PAGE_BYTES * NVM_PAGE_BYTES + NVM_PAGE_BYTES;
    nvmi_pointers(&pointers);
    return pointers;
}

/* From the recorded addresses to numbers; `range` has room for all. */
static struct step step_out(struct range *range)
{
    struct step step = {.range = range};
    for (struct nvm_disk_entry *e = first(); e; e = next(e), step.count++)
        range[step.count] =
            (struct range){recorded(e), e->b, NUMBERS_FROM + step.count * NUMBERS_EACH};
    return step;
}

/* From the numbers to where the statics are, which is recorded. */
static struct step step_in(struct range *range)
{
    struct step step = {.range = range};
    for (struct nvm_disk_entry *e = first(); e; e = next(e), step.count++) {
        uint64_t now = (uintptr_t)find(nvmi_entry_name(e))->address;
        record(e, now);
        range[step.count] = (struct range){NUMBERS_FROM + step.count * NUMBERS_EACH, e->b, now};
    }
    return step;
}

/* Before anything is written: does each word that looks like a pointer to one of
 * them have to be one? */
static int look(struct range *range)
{
    struct nvmi_reach reach;
    struct step step = step_out(range);
    int error = nvmi_pool.format->view(&nvmi_pool, UINT64_MAX);
    if (error || (error = nvmi_reach(&reach, nvmi_pool.header.heap_address)))
        return error;
    nvmi_types_read();
    struct nvmi_pointers seen = take(&step, &reach);
    nvmi_reach_release(&reach);
    return !seen.unknown[0]
               ? 0
               : nvmi_fail(EFAULT, "pointers-unknown",
                           "%s: statics lie elsewhere in this build, and these hold what may be "
                           "pointers to them: %s",
                           nvmi_pool.path, seen.unknown);
}

int nvmi_statics_check(void)
{
    int error = 0;
    for (struct nvm_disk_entry *e = first(); e && !error; e = next(e))
        error = check(e);
    if (error || !nvmi_statics_moved())
        return error;
    struct range *range = new_ranges();
    error = range ? look(range) : ENOMEM;
    free(range);
    return error;
}

static void set_named(uint32_t named)
{
    pthread_mutex_lock(&nvmi_heap_lock);
    nvmi_heap_change()->statics_named = named;
    pthread_mutex_unlock(&nvmi_heap_lock);
}

static void follow(const struct nvmi_reach *reach, struct range *range)
{
    nvm_begin();
    set_named(1);
    struct step out = step_out(range);
    out.write = true;
    take(&out, reach);
    commit();
    struct step in = step_in(range);
    commit();
    in.write = true;
    take(&in, reach);
    set_named(0);
    nvm_end();
    nvmi_note("pool %s: %llu pointers follow statics that lie elsewhere in this run",
              nvmi_pool.path, (unsigned long long)in.changed);
}

int nvmi_statics_follow(const char *path, const struct nvm_options *options)
{
    struct range *range = new_ranges();
    struct nvmi_reach reach;
    int error = range ? nvmi_open_bare(path, options->power) : ENOMEM;
    if (!error) {
        nvm_restore();
        nvm_ready();
        error = nvmi_reach(&reach, nvmi_pool.header.heap_address);
        if (!error) {
            follow(&reach, range);
            nvmi_reach_release(&reach);
        }
        nvm_close();
    }
    free(range);
    return error;
}
