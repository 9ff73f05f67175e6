/*===- late_roots.c - roots that come and go while the pool is open ---------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "commit/late_roots.h"
#include "base/pool.h"
#include "named/roots.h"
#include "named/table.h"
#include <errno.h>

static void add_here(struct nvmi_root root, int *known_here)
{
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    const bool may_commit = !nvmi_is_detached();
    if (may_commit)
        nvm_begin(); /* no commit looks through the roots meanwhile */
    pthread_mutex_lock(&one_at_a_time);
    pthread_mutex_lock(&nvmi_heap_lock);
    nvmi_roots_add_late(root);
    __atomic_store_n(known_here, 1, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&nvmi_heap_lock);
    pthread_mutex_unlock(&one_at_a_time);
    if (may_commit)
        nvm_end();
}

void nvm_root_here(const char *name, const volatile void *address, unsigned long size_bytes,
                   int pointers, int *known_here)
{
    add_here((struct nvmi_root){.name = name,
                                .address = (void *)address,
                                .size_bytes = size_bytes,
                                .pointers = pointers != 0,
                                .may_end = pointers == 2},
             known_here);
}

/* The result of a load, in memory that stays. */
static long *part(const char *name)
{
    const struct nvmi_root *known = nvmi_roots_find(name);
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

void nvm_root_behind_here(const char *name, const volatile void *slot, unsigned long offset,
                          unsigned long size_bytes, int pointers, int *known_here)
{
    nvmi_roots_note_slot((void *)slot);
    add_here((struct nvmi_root){.name = name,
                                .address = (void *)slot,
                                .size_bytes = size_bytes,
                                .pointers = pointers != 0,
                                .may_end = pointers == 2,
                                .is_behind = true,
                                .offset = offset},
             known_here);
}

void nvmi_roots_freed(const void *record)
{
    if (!record || !nvmi_pool.open || nvmi_is_apart() || !nvmi_roots_are_behind(record))
        return;
    nvm_begin();
    pthread_mutex_lock(&nvmi_heap_lock);
    nvmi_roots_leave_record(record);
    pthread_mutex_unlock(&nvmi_heap_lock);
    nvm_end();
}

void nvm_roots_end(void *(*range)[2])
{
    if (nvmi_is_apart())
        return; /* no commit comes, and what a pointer here led to may be gone */
    nvm_begin();
    pthread_mutex_lock(&nvmi_heap_lock);
    nvmi_roots_leave_range((*range)[0], (*range)[1]);
    pthread_mutex_unlock(&nvmi_heap_lock);
    nvm_end();
}
