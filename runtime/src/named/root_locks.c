/*===- root_locks.c - what ends with the process in roots -------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "named/root_locks.h"
#include "base/error.h"
#include "named/statics.h"
#include "named/table.h"
#include "nvmove/nvm.h"
#include <stdint.h>
#include <string.h>

static struct locks {
    uintptr_t first;
    size_t size_bytes, stride_bytes, count;
    bool is_pointer; /* and may lead into the heap, too: then it is given back */
} *locks;
static size_t count, capacity;

static void add(struct locks l)
{
    if (l.size_bytes == 0 || l.size_bytes > l.stride_bytes)
        nvmi_bug("locks of %zu bytes, %zu apart", l.size_bytes, l.stride_bytes);
    locks = nvmi_grow(locks, count, &capacity, sizeof(*locks), "the locks in roots");
    locks[count++] = l;
}

void nvm_root_lock(const volatile void *first, unsigned long size_bytes, unsigned long stride_bytes,
                   unsigned long number)
{
    add((struct locks){(uintptr_t)first, size_bytes, stride_bytes, number, false});
}

void nvm_root_ending(const volatile void *first, unsigned long size_bytes,
                     unsigned long stride_bytes, unsigned long number)
{
    add((struct locks){(uintptr_t)first, size_bytes, stride_bytes, number, true});
}

static bool is_within(const struct locks *l, uintptr_t byte)
{
    return byte >= l->first && (byte - l->first) / l->stride_bytes < l->count &&
           (byte - l->first) % l->stride_bytes < l->size_bytes;
}

/* Which of them the byte is in, or NULL. */
static const struct locks *locks_at(const char *place)
{
    for (size_t i = 0; i < count; i++)
        if (is_within(&locks[i], (uintptr_t)place))
            return &locks[i];
    return NULL;
}

/* Those that lead into the heap, or to statics that are followed. */
static void give_back_pointers(char *place, const char *kept, size_t size_bytes)
{
    uint64_t word;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; locks[i].is_pointer && k < locks[i].count; k++)
            for (size_t w = 0; w + sizeof(word) <= locks[i].size_bytes; w += sizeof(word)) {
                size_t at = locks[i].first + k * locks[i].stride_bytes + w - (uintptr_t)place;
                if (at >= size_bytes || size_bytes - at < sizeof(word))
                    continue;
                memcpy(&word, kept + at, sizeof(word));
                if (!nvmi_is_of_another_process(word))
                    memcpy(place + at, &word, sizeof(word));
            }
}

bool nvmi_root_differs(const void *place, const void *kept, size_t size_bytes)
{
    const char *a = place, *b = kept;
    if (memcmp(a, b, size_bytes) == 0)
        return false;
    for (size_t i = 0; i < size_bytes; i++)
        if (a[i] != b[i]) {
            const struct locks *l = locks_at(a + i);
            if (!l || l->is_pointer)
                return true;
        }
    return false;
}

void nvmi_root_give_back(void *place, const void *kept, size_t size_bytes)
{
    char *a = place;
    const char *b = kept;
    for (size_t i = 0; i < size_bytes; i++)
        if (a[i] != b[i] && !locks_at(a + i))
            a[i] = b[i];
    give_back_pointers(a, b, size_bytes);
}
