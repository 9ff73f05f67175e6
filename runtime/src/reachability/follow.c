/*===- follow.c - pointers that follow statics to where they are now --------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Pointers to statics lead to where these lie in the process that has the pool. The next
 * one may have them elsewhere (address space layout, another build): then all such
 * pointers in the pool are changed when it is opened, by ordinary commits of any
 * engine, in two steps:
 *
 *   1. from the recorded addresses to numbers that no process has as addresses, and no
 *      object as anything else;
 *   2. from the numbers to the new addresses, which have become the recorded ones.
 *
 * At every cut a pointer is a number or leads to the recorded address, and these two
 * cannot be taken for each other: whoever comes next begins with step 1 again. Old
 * and new addresses often overlap, so one step would not do.
 */
#include "reachability/follow.h"
#include "base/engine.h"
#include "base/error.h"
#include "base/pool.h"
#include "heap/state.h"
#include "named/statics.h"
#include "named/table.h"
#include "named/types.h"
#include "reachability/pointers.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The numbers: 4 GiB of them for each static. Where they begin is one of some places that
 * look like nothing in particular (doubles like 131.0 have zeros below), and in which no
 * word of the pool is when the first one is written. */
#define NUMBERS_EACH ((uint64_t)1 << 32)
#define MOST_PLACES 240u /* below bit 48 */
/* Small numbers are often just numbers: there, what is not known is refused. */
#define LOW_ADDRESSES ((uint64_t)1 << 32)

/* A static, and where pointers to it shall lead. */
struct range {
    uint64_t from, size_bytes, to;
    bool lost;  /* an image of another build: it is not known where its parts are now */
    bool free;  /* numbers: nothing may lead there */
    bool stays; /* it has not moved: what leads there is right */
};

struct step {
    size_t count, image_count;
    uint64_t changed;
    bool write;
    bool lost;     /* looks for pointers to what is lost, and for no others */
    bool on_stack; /* no image has moved, nor what lies in one */
    bool taken;    /* something leads to what is to be free */
    struct range range[NVMI_MOST_STATICS];    /* sorted by `from` */
    struct range image[2 * NVMI_MOST_IMAGES]; /* around them */
};

/* An address after the last byte belongs to the static as well, unless another
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
    if (low && address - step->range[low - 1].from <= step->range[low - 1].size_bytes)
        return &step->range[low - 1];
    for (size_t i = 0; i < step->image_count; i++)
        if (address - step->image[i].from < step->image[i].size_bytes)
            return &step->image[i];
    return NULL;
}

static bool leads(void *context, uint64_t address)
{
    const struct step *step = context;
    const struct range *r = range_at(step, address);
    return r && r->lost == step->lost && !r->stays;
}

/* Bits above an address's are the program's own. */
static void change_pointer(void *context, unsigned char *place)
{
    const uint64_t address_bits = ((uint64_t)1 << 48) - 1;
    struct step *step = context;
    uint64_t word;
    memcpy(&word, place, sizeof(word));
    const struct range *r = range_at(step, word & address_bits);
    step->taken |= r && r->free;
    step->changed++;
    if (!step->write || !r)
        return;
    word += r->to - r->from;
    memcpy(nvm_store(place, sizeof(word)), &word, sizeof(word));
    nvmi_pointers_commit_some(step->changed);
}

static int by_address(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

/* Calls change_pointer() for all that lead to the step's ranges. */
static struct nvmi_pointers take(struct step *step, const struct nvmi_reach *reach)
{
    uint64_t from = UINT64_MAX, end = 0;
    qsort(step->range, step->count, sizeof(*step->range), by_address);
    for (size_t i = 0; i < step->count + step->image_count; i++) {
        const struct range *r = i < step->count ? &step->range[i] : &step->image[i - step->count];
        if (r->stays)
            continue;
        from = r->from < from ? r->from : from;
        end = r->from + r->size_bytes > end ? r->from + r->size_bytes : end;
    }
    from = from / NVM_PAGE_BYTES * NVM_PAGE_BYTES;
    struct nvmi_pointers pointers = {
        .reach = reach,
        .target = from,
        .target_bytes = (end - from) / NVM_PAGE_BYTES * NVM_PAGE_BYTES + NVM_PAGE_BYTES,
        .leads = leads,
        .of_statics = true,
        .on_stack = step->on_stack,
        .presumed = from >= LOW_ADDRESSES,
        .named = step->lost,
        .see = change_pointer,
        .context = step};
    nvmi_pointers(&pointers);
    return pointers;
}

static void add_range(struct step *step, bool is_image, struct range range)
{
    if (is_image)
        step->image[step->image_count++] = range;
    else
        step->range[step->count++] = range;
}

static void clear(struct step *step)
{
    step->count = step->image_count = 0;
    step->changed = 0;
    step->write = step->lost = step->taken = false;
}

static uint64_t numbers_from(uint32_t place)
{
    return 0x81d69b3a5000 + place * (uint64_t)0x7a1c35d000;
}

/* Numbers that statics may have, there. */
static void step_aside(struct step *step, uint32_t place)
{
    uint64_t number = numbers_from(place);
    clear(step);
    for (struct nvm_disk_entry *e = nvmi_static_first(); e;
         e = nvmi_static_next(e), number += NUMBERS_EACH)
        add_range(step, nvmi_static_recorded(e).build,
                  (struct range){number, e->b, number, .free = true});
}

/* From the recorded addresses to numbers. What has not moved keeps its pointers: in a program
 * at a fixed address of which a local of main has moved, its statics' low addresses would be
 * sought among numbers. */
static void step_out(struct step *step, uint32_t place)
{
    uint64_t number = numbers_from(place);
    clear(step);
    for (struct nvm_disk_entry *e = nvmi_static_first(); e;
         e = nvmi_static_next(e), number += NUMBERS_EACH) {
        struct nvmi_static_value was = nvmi_static_recorded(e);
        bool lost = nvmi_static_is_of_another_build(e);
        add_range(step, was.build,
                  (struct range){was.address, e->b, number, .lost = lost,
                                 .stays = !nvmi_static_has_moved(e)});
        if (lost) /* that build did not get to its end */
            add_range(step, true, (struct range){number, e->b, number, .lost = true});
    }
}

/* From the numbers to where the statics are, which is recorded. */
static void step_in(struct step *step, uint32_t place)
{
    uint64_t number = numbers_from(place);
    clear(step);
    for (struct nvm_disk_entry *e = nvmi_static_first(); e;
         e = nvmi_static_next(e), number += NUMBERS_EACH) {
        const struct nvmi_static *o = nvmi_static_find(nvmi_entry_name(e));
        add_range(step, o->build, (struct range){number, e->b, o->address});
        nvmi_static_record(e, o);
    }
}

/* Since a first number was written, it is in the header. */
static uint32_t place_of_numbers(void)
{
    uint32_t named = nvmi_heap_header()->statics_named;
    return named ? named - 1 : 0;
}

/* Before anything is written: does each word that looks like a pointer to one of
 * them have to be one, and is it known where it shall lead? */
static int look(struct step *step)
{
    struct nvmi_reach reach;
    int error = nvmi_pool.format->view(&nvmi_pool, UINT64_MAX);
    if (error || (error = nvmi_reach(&reach, nvmi_pool.header.heap_address, false)))
        return error;
    nvmi_types_read();
    step_out(step, place_of_numbers());
    step->on_stack = nvmi_statics_moved_on_stack();
    struct nvmi_pointers seen = take(step, &reach);
    if (seen.unknown[0])
        error = nvmi_fail(EFAULT, "pointers-unknown",
                          "%s: statics have other addresses in this build, and these may contain "
                          "pointers to them: %s",
                          nvmi_pool.path, seen.unknown);
    step->lost = true;
    for (size_t i = 0; i < step->image_count && !error; i++)
        if (step->image[i].lost && (seen = take(step, &reach), seen.unknown[0]))
            error = nvmi_fail(ENOEXEC, "pool-layout",
                              "%s was created by another build, and these point to its string "
                              "literals or to statics without a name: %s",
                              nvmi_pool.path, seen.unknown);
    nvmi_reach_release(&reach);
    return error;
}

static struct step *new_step(void)
{
    struct step *step = calloc(1, sizeof(*step));
    if (!step)
        nvmi_fail(ENOMEM, "no-memory", "no memory for the addresses of statics");
    return step;
}

int nvmi_statics_check(void)
{
    int error = nvmi_statics_match();
    if (error || !nvmi_statics_moved())
        return error;
    struct step *step = new_step();
    error = step ? look(step) : ENOMEM;
    free(step);
    return error;
}

static void set_named(uint32_t named)
{
    pthread_mutex_lock(&nvmi_heap_lock);
    nvmi_heap_change()->statics_named = named;
    pthread_mutex_unlock(&nvmi_heap_lock);
}

/* Where no word is that could be taken for a number later; MOST_PLACES: there is none. */
static uint32_t free_place(const struct nvmi_reach *reach, struct step *step)
{
    uint32_t place = 0;
    for (; place < MOST_PLACES; place++) {
        step_aside(step, place);
        take(step, reach);
        if (!step->taken)
            break;
    }
    return place;
}

static int follow(const struct nvmi_reach *reach, struct step *step)
{
    uint32_t place =
        nvmi_heap_header()->statics_named ? place_of_numbers() : free_place(reach, step);
    if (place == MOST_PLACES)
        return nvmi_fail(EFAULT, "pointers-unknown",
                         "%s: statics have other addresses in this run, and every address that "
                         "could replace theirs meanwhile equals a value in some object",
                         nvmi_pool.path);
    nvm_begin();
    set_named(place + 1);
    step_out(step, place);
    step->write = true;
    take(step, reach);
    nvmi_pointers_commit();
    step_in(step, place);
    nvmi_pointers_commit();
    step->write = true;
    take(step, reach);
    set_named(0);
    nvm_end();
    nvmi_note(
        "pool %s: %llu pointers to statics that have other addresses in this run were updated",
        nvmi_pool.path, (unsigned long long)step->changed);
    return 0;
}

int nvmi_statics_follow(const struct nvmi_reach *reach)
{
    struct step *step = new_step();
    if (!step)
        return ENOMEM;
    int error = follow(reach, step);
    free(step);
    return error;
}
