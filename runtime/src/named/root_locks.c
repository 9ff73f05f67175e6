/*===- root_locks.c - locks in roots ----------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "named/root_locks.h"
#include "base/error.h"
#include "named/table.h"
#include "nvmove/nvm.h"
#include <stdint.h>
#include <string.h>

static struct locks {
    uintptr_t first;
    size_t size_bytes, stride_bytes, count;
} *locks;
static size_t count, capacity;

void nvm_root_lock(const volatile void *first, unsigned long size_bytes, unsigned long stride_bytes,
                   unsigned long number)
{
    if (size_bytes == 0 || size_bytes > stride_bytes)
        nvmi_bug("locks of %lu bytes, %lu apart", size_bytes, stride_bytes);
    locks = nvmi_grow(locks, count, &capacity, sizeof(*locks), "the locks in roots");
    locks[count++] = (struct locks){(uintptr_t)first, size_bytes, stride_bytes, number};
}

static bool is_within(const struct locks *l, uintptr_t byte)
{
    return byte >= l->first && (byte - l->first) / l->stride_bytes < l->count &&
           (byte - l->first) % l->stride_bytes < l->size_bytes;
}

static bool is_lock(const char *place)
{
    for (size_t i = 0; i < count; i++)
        if (is_within(&locks[i], (uintptr_t)place))
            return true;
    return false;
}

bool nvmi_root_differs(const void *place, const void *kept, size_t size_bytes)
{
    const char *a = place, *b = kept;
    if (memcmp(a, b, size_bytes) == 0)
        return false;
    for (size_t i = 0; i < size_bytes; i++)
        if (a[i] != b[i] && !is_lock(a + i))
            return true;
    return false;
}

void nvmi_root_give_back(void *place, const void *kept, size_t size_bytes)
{
    char *a = place;
    const char *b = kept;
    for (size_t i = 0; i < size_bytes; i++)
        if (a[i] != b[i] && !is_lock(a + i))
            a[i] = b[i];
}
