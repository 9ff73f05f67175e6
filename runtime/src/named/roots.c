/*===- roots.c - statics that live in the pool ------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "named/roots.h"
#include "base/error.h"
#include "base/pool.h"
#include "heap/heap.h"
#include "heap/state.h"
#include "hook/hook.h"
#include "named/root_locks.h"
#include "named/statics.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct nvmi_root *roots;
static size_t root_count, root_capacity;
/* The pointers that roots are behind, for whoever frees: read without a lock. */
static void *slots[64];
static size_t slot_count;
static void *nothing; /* instead of one that has gone */

static unsigned kind_of(const struct nvmi_root *root)
{
    return root->element_bytes ? NVM_ENTRY_ARRAY : NVM_ENTRY_ROOT;
}

static struct nvmi_root *find(const char *name)
{
    for (size_t i = 0; i < root_count; i++)
        if (strcmp(roots[i].name, name) == 0)
            return &roots[i];
    return NULL;
}

const struct nvmi_root *nvmi_roots_find(const char *name)
{
    return find(name);
}

static void append(struct nvmi_root root)
{
    if (find(root.name))
        nvmi_die(NVMI_EXIT_START, "root-twice", "root %s is registered twice", root.name);
    roots = nvmi_grow(roots, root_count, &root_capacity, sizeof(*roots), "the roots");
    roots[root_count++] = root;
}

static void add(struct nvmi_root root)
{
    nvmi_register_early("root", root.name);
    append(root);
}

void nvm_root(const char *name, const volatile void *address, unsigned long size_bytes)
{
    add((struct nvmi_root){.name = name, .address = (void *)address, .size_bytes = size_bytes});
}

void nvm_root_pointers(const char *name, const volatile void *address, unsigned long size_bytes)
{
    add((struct nvmi_root){
        .name = name, .address = (void *)address, .size_bytes = size_bytes, .pointers = true});
}

void nvm_root_volatile(const char *name, const volatile void *address, unsigned long size_bytes)
{
    add((struct nvmi_root){.name = name,
                           .address = (void *)address,
                           .size_bytes = size_bytes,
                           .pointers = true,
                           .may_end = true});
}

void nvmi_roots_note_slot(void *slot)
{
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&one_at_a_time);
    size_t i = 0;
    while (i < slot_count && slots[i] != slot)
        i++;
    if (i == sizeof(slots) / sizeof(slots[0]))
        nvmi_die(NVMI_EXIT_START, "root-behind", "roots are reached through more than %zu pointers",
                 i);
    slots[i] = slot;
    if (i == slot_count)
        __atomic_store_n(&slot_count, i + 1, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&one_at_a_time);
}

void nvm_root_behind(const char *name, const volatile void *slot, unsigned long offset,
                     unsigned long size_bytes, int pointers)
{
    add((struct nvmi_root){.name = name,
                           .address = (void *)slot,
                           .size_bytes = size_bytes,
                           .pointers = pointers != 0,
                           .may_end = pointers == 2,
                           .is_behind = true,
                           .offset = offset});
    nvmi_roots_note_slot((void *)slot);
}

/* NULL: the program has not made the record, or no longer has it. */
static void *place_of(const struct nvmi_root *root)
{
    char *record;
    if (!root->is_behind)
        return root->address;
    memcpy(&record, root->address, sizeof(record));
    return record ? record + root->offset : NULL;
}

void nvm_root_array(const char *name, const volatile void *slot, unsigned long element_size_bytes,
                    const struct nvm_field *fields, unsigned field_count)
{
    if (element_size_bytes == 0)
        nvmi_bug("root array %s has elements of size 0", name);
    add((struct nvmi_root){.name = name,
                           .address = (void *)slot,
                           .size_bytes = sizeof(void *),
                           .element_bytes = element_size_bytes,
                           .fields = {fields, field_count}});
}

/* Of nvm_root_here(): control has not come to it yet. */
static bool is_expected(const char *name)
{
    return strstr(name, "()") != NULL;
}

static int check(const struct nvm_disk_entry *entry)
{
    const char *name = nvmi_entry_name(entry), *path = nvmi_pool.path;
    const struct nvmi_root *root = find(name);
    char text[800];
    if (!root && is_expected(name))
        return 0;
    if (!root || kind_of(root) != entry->kind)
        return nvmi_fail(ENOEXEC, "pool-layout",
                         "%s contains root %s, which this program does not have", path, name);
    if (root->size_bytes != entry->value_bytes)
        return nvmi_fail(ENOEXEC, "pool-layout", "%s: root %s had %u bytes and now has %zu", path,
                         name, entry->value_bytes, root->size_bytes);
    if (entry->kind != NVM_ENTRY_ARRAY)
        return 0;
    if (root->element_bytes != entry->a)
        return nvmi_fail(ENOEXEC, "pool-layout",
                         "%s: an element of root array %s had %llu bytes and now has %zu", path,
                         name, (unsigned long long)entry->a, root->element_bytes);
    if (nvmi_entry_differs(entry, root->fields, text, sizeof(text)))
        return nvmi_fail(ENOEXEC, "pool-layout", "%s: root array %s has another layout: %s", path,
                         name, text);
    return 0;
}

uint64_t nvmi_roots_bytes(void)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < root_count; i++)
        sum += nvmi_entry_bytes(roots[i].name, (uint32_t)roots[i].size_bytes);
    return sum;
}

int nvmi_roots_check(void)
{
    int error = 0;
    for (struct nvm_disk_entry *e = nvmi_entry_first(); e && !error; e = nvmi_entry_next(e))
        if (e->kind == NVM_ENTRY_ROOT || e->kind == NVM_ENTRY_ARRAY)
            error = check(e);
    return error;
}

static void enter(struct nvmi_root *r)
{
    r->entry = nvmi_entry_find(kind_of(r), r->name);
    if (r->entry)
        nvmi_entry_adopt_kinds(r->entry, r->fields);
    else
        r->entry = nvmi_entry_add(kind_of(r), r->name, r->element_bytes, 0, r->fields,
                                  (uint32_t)r->size_bytes);
    nvmi_entry_set_b(r->entry, r->pointers);
    r->mirror = nvmi_entry_value(r->entry);
    r->watch = (struct nvmi_watch){.state = r->is_behind ? NVMI_WATCH_NEVER : NVMI_WATCH_NOT_YET};
    r->was_seen = false;
}

bool nvmi_roots_are_volatile(void)
{
    for (size_t i = 0; i < root_count; i++)
        for (unsigned k = 0; k < roots[i].fields.count; k++)
            if (nvmi_is_kind(&roots[i].fields.field[k], NVM_KIND_VOLATILE))
                return true;
    return false;
}

void nvmi_roots_enter(void)
{
    for (size_t i = 0; i < root_count; i++)
        enter(&roots[i]);
}

/* The root that is registered for this place. */
static struct nvmi_root *at(const volatile void *address, unsigned long size_bytes)
{
    for (size_t i = 0; i < root_count; i++)
        if (roots[i].address == address && roots[i].size_bytes == size_bytes && !roots[i].is_behind)
            return &roots[i];
    nvmi_bug("no root of %lu bytes is registered at %p", size_bytes, (const void *)address);
}

void nvm_settled(const volatile void *address, unsigned long size_bytes)
{
    at(address, size_bytes)->is_settled = true;
}

void nvm_tally(const volatile void *address, unsigned long size_bytes)
{
    at(address, size_bytes)->is_tally = true;
}

/* Only who verifies looks. */
static void tell_written(const struct nvmi_root *r)
{
    nvmi_note("root %s was written after start-up, although it is registered as settled", r->name);
    NVMI_COUNT(unannounced, 1);
}

/* Only lines that differ are announced and saved: a root may be an array of which one element has
 * changed. False: none. */
static bool copy_changes(const char *place, char *mirror, size_t size_bytes)
{
    bool differs = nvmi_root_differs(place, mirror, size_bytes);
    for (size_t at = 0, end; differs && at < size_bytes; at = end) {
        end = at + NVM_LINE_BYTES - (uintptr_t)(mirror + at) % NVM_LINE_BYTES;
        end = end < size_bytes ? end : size_bytes;
        if (nvmi_root_differs(place + at, mirror + at, end - at))
            memcpy(nvm_store(mirror + at, end - at), place + at, end - at);
    }
    return differs;
}

/* Most roots are a word, and most of these are as they were. */
static bool is_same_word(const struct nvmi_root *r)
{
    uint64_t now, kept;
    if (r->size_bytes != sizeof(now) || r->is_behind || r->is_settled)
        return false;
    memcpy(&now, r->address, sizeof(now));
    memcpy(&kept, r->mirror, sizeof(kept));
    return now == kept;
}

static void collect(struct nvmi_root *r)
{
    bool is_over = r->is_settled && r->was_seen;
    struct nvmi_part part[NVMI_MAX_PARTS]; /* to clear it would take as long as the rest */
    const char *place = place_of(r);
    if (!place || r->is_due || (is_over && !nvmi_pool.verify && !nvmi_audit))
        return;
    r->was_seen = !nvmi_pool.start_up;
    unsigned count = nvmi_watch_ask(&r->watch, place, r->size_bytes, part);
    for (unsigned i = 0; i < count; i++) {
        size_t from = part[i].from, size_bytes = part[i].end - from;
        if (copy_changes(place + from, r->mirror + from, size_bytes) && is_over)
            tell_written(r);
    }
}

static void collect_all(bool tallies)
{
    for (size_t i = 0; i < root_count && !nvmi_pool.bare; i++)
        if (roots[i].is_tally == tallies && !is_same_word(&roots[i]))
            collect(&roots[i]);
}

void nvmi_roots_collect(void)
{
    collect_all(/*tallies=*/false);
}

void nvmi_roots_collect_tallies(void)
{
    collect_all(/*tallies=*/true);
}

static bool all_zero(const unsigned char *p, size_t size_bytes)
{
    for (size_t i = 0; i < size_bytes; i++)
        if (p[i])
            return false;
    return true;
}

/* What start-up has put there stays where the pool has what ended with another process; or
 * null, which may stand for that. */
static void give_back_words(unsigned char *to, const unsigned char *from, size_t size_bytes,
                            bool null)
{
    uint64_t word;
    for (size_t at = 0; size_bytes - at >= sizeof(word); at += sizeof(word)) {
        memcpy(&word, from + at, sizeof(word));
        if (!nvmi_is_of_another_process(word) && (word || null))
            memcpy(to + at, &word, sizeof(word));
    }
}

/* An element without any value never was: the array has grown, or its block is
 * larger than was asked for. What the program has just put there stays. */
static void copy_element(const struct nvmi_root *r, unsigned char *to, const unsigned char *from)
{
    bool absent = true;
    for (unsigned i = 0; i < r->fields.count; i++)
        absent &= all_zero(from + r->fields.field[i].offset, r->fields.field[i].size_bytes);
    if (absent)
        return;
    for (unsigned i = 0; i < r->fields.count; i++) {
        const struct nvm_field *f = &r->fields.field[i];
        unsigned char *place = nvm_store(to + f->offset, f->size_bytes);
        if (nvmi_is_kind(f, NVM_KIND_VOLATILE))
            give_back_words(place, from + f->offset, f->size_bytes, /*null=*/false);
        else
            memcpy(place, from + f->offset, f->size_bytes);
    }
}

/* The elements that would go must hold nothing. */
static void check_shrunk(const struct nvmi_root *r, const unsigned char *from, size_t first,
                         size_t end)
{
    for (size_t i = first; i < end; i++)
        for (unsigned k = 0; k < r->fields.count; k++) {
            const struct nvm_field *f = &r->fields.field[k];
            if (!all_zero(from + i * r->element_bytes + f->offset, f->size_bytes))
                nvmi_die(NVMI_EXIT_START, "pool-layout",
                         "%s: root array %s has shrunk, but element %zu has a value in %s",
                         nvmi_pool.path, r->name, i, f->name);
        }
}

static size_t elements_from(const struct nvmi_root *r, const unsigned char *p)
{
    struct nvmi_block block;
    if (!nvmi_heap_find(p, &block) || !block.allocated)
        nvmi_die(NVMI_EXIT_START, "root-array", "%s: root array %s is not in the heap",
                 nvmi_pool.path, r->name);
    return (size_t)(block.start + block.size_bytes - p) / r->element_bytes;
}

static unsigned char *kept_array(const struct nvmi_root *r)
{
    unsigned char *kept;
    memcpy(&kept, r->mirror, sizeof(kept));
    return kept;
}

static unsigned char *array_now(const struct nvmi_root *r)
{
    unsigned char *array;
    memcpy(&array, r->address, sizeof(array));
    return array;
}

/* NULL: no array, or it is not in the heap. */
static char *block_of(const unsigned char *array)
{
    struct nvmi_block block;
    return array && nvmi_heap_find(array, &block) ? (char *)block.start : NULL;
}

/* A root before this one whose kept array is in the same block. */
static const struct nvmi_root *shares_with(const struct nvmi_root *r)
{
    const char *block = block_of(kept_array(r));
    for (const struct nvmi_root *other = roots; block && other < r; other++)
        if (other->element_bytes && block_of(kept_array(other)) == block)
            return other;
    return NULL;
}

/* Some root before this one leads to what start-up made for this one. */
static bool is_taken(const struct nvmi_root *r)
{
    for (const struct nvmi_root *other = roots; other < r; other++)
        if (other->element_bytes && array_now(other) == array_now(r))
            return true;
    return false;
}

/* Two pointers to one array are that again; what start-up made one array for, and
 * the pool has two of, get those of the pool. */
static void merge_array(const struct nvmi_root *r)
{
    unsigned char *fresh = array_now(r), *kept = kept_array(r);
    const struct nvmi_root *other = shares_with(r);
    if (!kept || (kept == fresh && !other))
        return;
    if (other) {
        unsigned char *array = array_now(other) + (kept - kept_array(other));
        memcpy(r->address, &array, sizeof(array));
        return;
    }
    if (!fresh || is_taken(r)) {
        memcpy(r->address, &kept, sizeof(kept));
        return;
    }
    size_t old_count = elements_from(r, kept), count = elements_from(r, fresh);
    for (size_t i = 0; i < old_count && i < count; i++)
        copy_element(r, fresh + i * r->element_bytes, kept + i * r->element_bytes);
    check_shrunk(r, kept, count, old_count);
}

/* The kept arrays whose elements have been merged into others. */
static void free_merged(void)
{
    for (size_t i = root_count; i-- > 0;) {
        const struct nvmi_root *r = &roots[i];
        if (!r->element_bytes || shares_with(r))
            continue;
        char *kept = block_of(kept_array(r));
        if (kept && kept != block_of(array_now(r)))
            nvmi_heap_free(kept);
    }
}

static void give_back(struct nvmi_root *r)
{
    void *place = place_of(r);
    const void *kept = r->mirror;
    r->is_due = !place && !all_zero(kept, r->size_bytes);
    if (place && r->is_behind)
        nvm_store(place, r->size_bytes);
    if (place && r->may_end)
        give_back_words(place, kept, r->size_bytes, /*null=*/true);
    else if (place)
        nvmi_root_give_back(place, kept, r->size_bytes);
}

void nvmi_roots_restore(void)
{
    if (nvmi_pool.bare)
        return;
    for (size_t i = 0; i < root_count; i++) {
        struct nvmi_root *r = &roots[i];
        if (r->element_bytes)
            merge_array(r);
        else
            give_back(r);
    }
    free_merged();
}

/* Of several loads a later one may fill what start-up makes after the first. */
void nvmi_roots_give_due(void)
{
    for (size_t i = 0; i < root_count; i++)
        if (roots[i].is_due)
            give_back(&roots[i]);
}

void nvmi_roots_check_due(void)
{
    for (size_t i = 0; i < root_count; i++)
        if (roots[i].is_due)
            nvmi_die(NVMI_EXIT_START, "root-behind",
                     "%s: the record of root %s does not exist: create it before the load",
                     nvmi_pool.path, roots[i].name);
}

/* The pool is open; in a section. */
static void enter_late(struct nvmi_root *r)
{
    struct nvm_disk_entry *kept = nvmi_entry_find(NVM_ENTRY_ROOT, r->name);
    if (kept && check(kept) != 0)
        nvmi_die(NVMI_EXIT_START, "pool-layout", "root %s has another size", r->name);
    enter(r);
    if (kept && nvmi_pool.restored && nvmi_pool.given_back && !nvmi_pool.bare)
        give_back(r);
    if (!nvmi_pool.start_up)
        nvmi_roots_check_due();
}

void nvmi_roots_add_late(struct nvmi_root root)
{
    const struct nvmi_root *known = find(root.name);
    if (!known) {
        append(root);
        if (nvmi_pool.open)
            enter_late(&roots[root_count - 1]);
    } else if (known->address != root.address)
        nvmi_die(NVMI_EXIT_START, "root-twice", "two variables are kept as %s", root.name);
}

/* Commits may still come: they find a copy, or, where there is no record, what the pool has. */
static void leave(struct nvmi_root *r)
{
    const void *place = place_of(r);
    void *copy = place ? malloc(r->size_bytes) : NULL;
    if (copy)
        memcpy(copy, place, r->size_bytes);
    r->is_behind = !copy;
    r->address = copy ? copy : &nothing;
    r->watch.state = NVMI_WATCH_NEVER;
}

bool nvmi_roots_are_behind(const void *record)
{
    size_t count = __atomic_load_n(&slot_count, __ATOMIC_ACQUIRE);
    void *at;
    for (size_t slot = 0; slot < count; slot++) {
        memcpy(&at, __atomic_load_n(&slots[slot], __ATOMIC_RELAXED), sizeof(at));
        if (at == record)
            return true;
    }
    return false;
}

void nvmi_roots_leave_record(const void *record)
{
    void *at;
    for (size_t i = 0; i < root_count; i++) {
        if (!roots[i].is_behind)
            continue;
        memcpy(&at, roots[i].address, sizeof(at));
        if (at == record)
            leave(&roots[i]);
    }
}

void nvmi_roots_leave_range(const char *from, const char *end)
{
    for (size_t i = 0; i < root_count; i++)
        if ((char *)roots[i].address >= from && (char *)roots[i].address < end)
            leave(&roots[i]);
    for (size_t i = 0; i < slot_count; i++)
        if ((char *)slots[i] >= from && (char *)slots[i] < end)
            __atomic_store_n(&slots[i], (void *)&nothing, __ATOMIC_RELAXED);
}
