/*===- classes.c - sizes of blocks in slabs ---------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "heap/classes.h"
#include "base/layout.h"

/* By sixteenth parts of a KiB: sizes come at random, and a branch would be mispredicted. */
unsigned char nvmi_small_class[NVMI_SMALL_BYTES / 16 + 1];

unsigned nvmi_size_class_of_any(size_t size_bytes)
{
    if (size_bytes <= 128)
        return size_bytes ? (unsigned)((size_bytes - 1) / 16) : 0;
    unsigned log = 63 - (unsigned)__builtin_clzl(size_bytes - 1);
    unsigned quarter = (unsigned)((size_bytes - 1) >> (log - 2)) & 3;
    return 8 + (log - 7) * 4 + quarter;
}

size_t nvmi_class_bytes(unsigned size_class)
{
    if (size_class < 8)
        return (size_class + 1) * 16;
    unsigned log = (size_class - 8) / 4 + 7, quarter = (size_class - 8) % 4;
    return ((size_t)1 << log) + ((size_t)(quarter + 1) << (log - 2));
}

/* Divisions are what an allocation would spend most of its time on. */
struct nvmi_class nvmi_class[NVMI_CLASSES];

void nvmi_classes_open(void)
{
    for (unsigned i = 0; i < NVMI_CLASSES; i++) {
        nvmi_class[i].bytes = (uint32_t)nvmi_class_bytes(i);
        nvmi_class[i].capacity = NVM_PAGE_BYTES / nvmi_class[i].bytes;
        nvmi_class[i].inverse =
            (uint32_t)((((uint64_t)1 << 32) + nvmi_class[i].bytes - 1) / nvmi_class[i].bytes);
        nvmi_class[i].words = (nvmi_class[i].capacity + 63) / 64;
    }
    for (unsigned i = 0; i <= NVMI_SMALL_BYTES / 16; i++)
        nvmi_small_class[i] = (unsigned char)nvmi_size_class_of_any(i * 16);
}

uint32_t nvmi_slab_capacity(unsigned size_class)
{
    return nvmi_class[size_class].capacity;
}
