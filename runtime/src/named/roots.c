/*===- roots.c - statics that live in the pool ------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "heap/heap.h"
#include "named/named.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A plain root, or with element_bytes a pointer to an array of records. Behind a
 * pointer, `address` is that pointer's. */
struct root {
    const char *name;
    void *address;
    size_t size_bytes;
    size_t element_bytes;
    bool pointers; /* and nothing else */
    bool may_end;  /* some may lead to what ends with the process */
    bool is_behind;
    bool is_due;   /* nvm_restore() has found no record to give the value back to */
    size_t offset; /* in what the pointer leads to */
    struct nvmi_fields fields;
    struct nvm_disk_entry *entry; /* in the open pool */
};
static struct root *roots;
static size_t root_count, root_capacity;
/* The pointers that roots are behind, for who frees: read without a lock. */
static void *slots[64];
static size_t slot_count;
static void *nothing; /* instead of one that has gone */

static unsigned kind_of(const struct root *root)
{
    return root->element_bytes ? NVM_ENTRY_ARRAY : NVM_ENTRY_ROOT;
}

static struct root *find(const char *name)
{
    for (size_t i = 0; i < root_count; i++)
        if (strcmp(roots[i].name, name) == 0)
            return &roots[i];
    return NULL;
}

static void append(struct root root)
{
    if (find(root.name))
        nvmi_die(NVMI_EXIT_START, "root-twice", "root %s is registered twice", root.name);
    roots = nvmi_grow(roots, root_count, &root_capacity, sizeof(*roots), "the roots");
    roots[root_count++] = root;
}

void nvmi_register_early(const char *what, const char *name)
{
    if (nvmi_pool.open)
        nvmi_die(NVMI_EXIT_START, "registered-late",
                 "%s %s is registered after the pool was opened: a plug-in that registers "
                 "something has to be loaded before nvm_start()",
                 what, name);
}

static void add(struct root root)
{
    nvmi_register_early("root", root.name);
    append(root);
}

void nvm_root(const char *name, void *address, unsigned long size_bytes)
{
    add((struct root){.name = name, .address = address, .size_bytes = size_bytes});
}

void nvm_root_pointers(const char *name, void *address, unsigned long size_bytes)
{
    add((struct root){
        .name = name, .address = address, .size_bytes = size_bytes, .pointers = true});
}

void nvm_root_volatile(const char *name, void *address, unsigned long size_bytes)
{
    add((struct root){.name = name,
                      .address = address,
                      .size_bytes = size_bytes,
                      .pointers = true,
                      .may_end = true});
}

static void note_slot(void *slot)
{
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&one_at_a_time);
    size_t i = 0;
    while (i < slot_count && slots[i] != slot)
        i++;
    if (i == sizeof(slots) / sizeof(slots[0]))
        nvmi_die(NVMI_EXIT_START, "root-behind", "roots are behind more than %zu pointers", i);
    slots[i] = slot;
    if (i == slot_count)
        __atomic_store_n(&slot_count, i + 1, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&one_at_a_time);
}

void nvm_root_behind(const char *name, void *slot, unsigned long offset, unsigned long size_bytes,
                     int pointers)
{
    add((struct root){.name = name,
                      .address = slot,
                      .size_bytes = size_bytes,
                      .pointers = pointers != 0,
                      .may_end = pointers == 2,
                      .is_behind = true,
                      .offset = offset});
    note_slot(slot);
}

/* NULL: the program has not made the record, or no longer has it. */
static void *place_of(const struct root *root)
{
    char *record;
    if (!root->is_behind)
        return root->address;
    memcpy(&record, root->address, sizeof(record));
    return record ? record + root->offset : NULL;
}

void nvm_root_array(const char *name, void *slot, unsigned long element_size_bytes,
                    const struct nvm_field *fields, unsigned field_count)
{
    if (element_size_bytes == 0)
        nvmi_bug("root array %s has elements of no size", name);
    add((struct root){.name = name,
                      .address = slot,
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
    const struct root *root = find(name);
    char text[800];
    if (!root && is_expected(name))
        return 0;
    if (!root || kind_of(root) != entry->kind)
        return nvmi_fail(ENOEXEC, "pool-layout", "%s keeps root %s, which this program does not",
                         path, name);
    if (root->size_bytes != entry->value_bytes)
        return nvmi_fail(ENOEXEC, "pool-layout", "%s: root %s was %u bytes and is %zu", path, name,
                         entry->value_bytes, root->size_bytes);
    if (entry->kind != NVM_ENTRY_ARRAY)
        return 0;
    if (root->element_bytes != entry->a)
        return nvmi_fail(ENOEXEC, "pool-layout",
                         "%s: an element of root array %s was %llu bytes and is %zu", path, name,
                         (unsigned long long)entry->a, root->element_bytes);
    if (nvmi_entry_differs(entry, root->fields, text, sizeof(text)))
        return nvmi_fail(ENOEXEC, "pool-layout", "%s: root array %s has another layout: %s", path,
                         name, text);
    return 0;
}

int nvmi_roots_check(void)
{
    int error = 0;
    for (struct nvm_disk_entry *e = nvmi_entry_first(); e && !error; e = nvmi_entry_next(e))
        if (e->kind == NVM_ENTRY_ROOT || e->kind == NVM_ENTRY_ARRAY)
            error = check(e);
    return error;
}

static void enter(struct root *r)
{
    r->entry = nvmi_entry_find(kind_of(r), r->name);
    if (r->entry)
        nvmi_entry_adopt_kinds(r->entry, r->fields);
    else
        r->entry = nvmi_entry_add(kind_of(r), r->name, r->element_bytes, 0, r->fields,
                                  (uint32_t)r->size_bytes);
    nvmi_entry_set_b(r->entry, r->pointers);
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

void nvmi_roots_collect(void)
{
    for (size_t i = 0; i < root_count && !nvmi_pool.bare; i++) {
        struct root *r = &roots[i];
        void *mirror = nvmi_entry_value(r->entry);
        const void *place = place_of(r);
        if (place && !r->is_due && memcmp(mirror, place, r->size_bytes) != 0)
            memcpy(nvm_store(mirror, r->size_bytes), place, r->size_bytes);
    }
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
static void copy_element(const struct root *r, unsigned char *to, const unsigned char *from)
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
static void check_shrunk(const struct root *r, const unsigned char *from, size_t first, size_t end)
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

static size_t elements_from(const struct root *r, const unsigned char *p)
{
    struct nvmi_block block;
    if (!nvmi_heap_find(p, &block) || !block.allocated)
        nvmi_die(NVMI_EXIT_START, "root-array", "%s: root array %s is not in the heap",
                 nvmi_pool.path, r->name);
    return (size_t)(block.start + block.size_bytes - p) / r->element_bytes;
}

static unsigned char *kept_array(const struct root *r)
{
    unsigned char *kept;
    memcpy(&kept, nvmi_entry_value(r->entry), sizeof(kept));
    return kept;
}

static unsigned char *array_now(const struct root *r)
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
static const struct root *shares_with(const struct root *r)
{
    const char *block = block_of(kept_array(r));
    for (const struct root *other = roots; block && other < r; other++)
        if (other->element_bytes && block_of(kept_array(other)) == block)
            return other;
    return NULL;
}

/* Some root before this one leads to what start-up made for this one. */
static bool is_taken(const struct root *r)
{
    for (const struct root *other = roots; other < r; other++)
        if (other->element_bytes && array_now(other) == array_now(r))
            return true;
    return false;
}

/* Two pointers to one array are that again; what start-up made one array for, and
 * the pool has two of, get those of the pool. */
static void merge_array(const struct root *r)
{
    unsigned char *fresh = array_now(r), *kept = kept_array(r);
    const struct root *other = shares_with(r);
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
        const struct root *r = &roots[i];
        if (!r->element_bytes || shares_with(r))
            continue;
        char *kept = block_of(kept_array(r));
        if (kept && kept != block_of(array_now(r)))
            nvmi_heap_free(kept);
    }
}

static void give_back(struct root *r)
{
    void *place = place_of(r);
    const void *kept = nvmi_entry_value(r->entry);
    r->is_due = !place && !all_zero(kept, r->size_bytes);
    if (place && r->is_behind)
        nvm_store(place, r->size_bytes);
    if (place && r->may_end)
        give_back_words(place, kept, r->size_bytes, /*null=*/true);
    else if (place)
        memcpy(place, kept, r->size_bytes);
}

void nvmi_roots_restore(void)
{
    if (nvmi_pool.bare)
        return;
    for (size_t i = 0; i < root_count; i++) {
        struct root *r = &roots[i];
        if (r->element_bytes)
            merge_array(r);
        else
            give_back(r);
    }
    free_merged();
}

/* Of several loads a later one may fill what start-up makes behind the first. */
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
                     "%s: the record of root %s is not there: make it before the load",
                     nvmi_pool.path, roots[i].name);
}

/* The pool is open; in a section. */
static void enter_late(struct root *r)
{
    struct nvm_disk_entry *kept = nvmi_entry_find(NVM_ENTRY_ROOT, r->name);
    if (kept && check(kept) != 0)
        nvmi_die(NVMI_EXIT_START, "pool-layout", "root %s has another size", r->name);
    enter(r);
    if (kept && nvmi_pool.restored && nvmi_restore_is_done() && !nvmi_pool.bare)
        give_back(r);
    if (!nvmi_pool.start_up)
        nvmi_roots_check_due();
}

static void add_here(struct root root, int *known_here)
{
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    nvm_begin(); /* no commit looks through the roots meanwhile */
    pthread_mutex_lock(&one_at_a_time);
    pthread_mutex_lock(&nvmi_heap_lock);
    struct root *known = find(root.name);
    if (!known) {
        append(root);
        if (nvmi_pool.open)
            enter_late(&roots[root_count - 1]);
    } else if (known->address != root.address)
        nvmi_die(NVMI_EXIT_START, "root-twice", "two variables are kept as %s", root.name);
    __atomic_store_n(known_here, 1, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&nvmi_heap_lock);
    pthread_mutex_unlock(&one_at_a_time);
    nvm_end();
}

void nvm_root_here(const char *name, void *address, unsigned long size_bytes, int pointers,
                   int *known_here)
{
    add_here((struct root){.name = name,
                           .address = address,
                           .size_bytes = size_bytes,
                           .pointers = pointers != 0,
                           .may_end = pointers == 2},
             known_here);
}

/* The result of a load, in memory that stays. */
static long *part(const char *name)
{
    const struct root *known = find(name);
    int known_here;
    if (known)
        return known->address;
    size_t capacity = 0;
    long *result = nvmi_grow(NULL, 0, &capacity, sizeof(*result), "the result of a load");
    *result = 0;
    nvm_root_here(name, result, sizeof(*result), 0, &known_here);
    return result;
}

long nvm_part_loaded(const char *name, long result)
{
    int error = errno;
    if (nvmi_pool.open && nvmi_pool.start_up && !nvmi_pool.snapshot)
        *part(name) = result;
    errno = error;
    return result;
}

long nvm_part_result(const char *name)
{
    return *part(name);
}

void nvm_root_behind_here(const char *name, void *slot, unsigned long offset,
                          unsigned long size_bytes, int pointers, int *known_here)
{
    note_slot(slot);
    add_here((struct root){.name = name,
                           .address = slot,
                           .size_bytes = size_bytes,
                           .pointers = pointers != 0,
                           .may_end = pointers == 2,
                           .is_behind = true,
                           .offset = offset},
             known_here);
}

/* Commits may still come: they find a copy, or, where there is no record, what the pool has. */
static void leave(struct root *r)
{
    const void *place = place_of(r);
    void *copy = place ? malloc(r->size_bytes) : NULL;
    if (copy)
        memcpy(copy, place, r->size_bytes);
    r->is_behind = !copy;
    r->address = copy ? copy : &nothing;
}

void nvmi_roots_freed(const void *record)
{
    size_t count = __atomic_load_n(&slot_count, __ATOMIC_ACQUIRE), slot = 0;
    void *at;
    if (count == 0 || !record || !nvmi_pool.open || nvmi_pool.snapshot)
        return;
    for (; slot < count; slot++) {
        memcpy(&at, __atomic_load_n(&slots[slot], __ATOMIC_RELAXED), sizeof(at));
        if (at == record)
            break;
    }
    if (slot == count)
        return;
    nvm_begin();
    pthread_mutex_lock(&nvmi_heap_lock);
    for (size_t i = 0; i < root_count; i++) {
        if (!roots[i].is_behind)
            continue;
        memcpy(&at, roots[i].address, sizeof(at));
        if (at == record)
            leave(&roots[i]);
    }
    pthread_mutex_unlock(&nvmi_heap_lock);
    nvm_end();
}

void nvm_roots_end(void *(*range)[2])
{
    const char *from = (*range)[0], *end = (*range)[1];
    if (nvmi_pool.snapshot)
        return; /* no commit comes, and what a pointer here led to may be gone */
    nvm_begin();
    pthread_mutex_lock(&nvmi_heap_lock);
    for (size_t i = 0; i < root_count; i++)
        if ((char *)roots[i].address >= from && (char *)roots[i].address < end)
            leave(&roots[i]);
    for (size_t i = 0; i < slot_count; i++)
        if ((char *)slots[i] >= from && (char *)slots[i] < end)
            __atomic_store_n(&slots[i], (void *)&nothing, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&nvmi_heap_lock);
    nvm_end();
}
