/*===- classes.h - sizes of blocks in slabs ---------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_HEAP_CLASSES_H
#define NVMOVE_SRC_HEAP_CLASSES_H

#include <stddef.h>
#include <stdint.h>

#define NVMI_CLASSES 40u
#define NVMI_SLAB_MAX_BYTES 32768u

/* The class of a small size is looked up. */
#define NVMI_SMALL_BYTES 1024u
extern unsigned char nvmi_small_class[NVMI_SMALL_BYTES / 16 + 1];
unsigned nvmi_size_class_of_any(size_t size_bytes);
static inline unsigned nvmi_size_class(size_t size_bytes) /* 0 .. NVMI_SLAB_MAX_BYTES */
{
    return size_bytes <= NVMI_SMALL_BYTES ? nvmi_small_class[(size_bytes + 15) / 16]
                                          : nvmi_size_class_of_any(size_bytes);
}
size_t nvmi_class_bytes(unsigned size_class);

struct nvmi_class {
    uint32_t bytes, capacity;
    uint32_t inverse; /* rounded up: exact for offsets within a page */
    uint32_t words;
};
extern struct nvmi_class nvmi_class[NVMI_CLASSES];
/* nvmove trial reads the sizes of a running program (tool/trial/ProcessMemory.cpp). */
_Static_assert(sizeof(struct nvmi_class) == 16 && offsetof(struct nvmi_class, bytes) == 0,
               "as nvmove trial reads them");
/* Fills both tables. */
void nvmi_classes_open(void);
uint32_t nvmi_slab_capacity(unsigned size_class); /* blocks in a page */

static inline uint32_t nvmi_index_of(uint32_t offset_in_page, const struct nvmi_class *class)
{
    return (uint32_t)((uint64_t)offset_in_page * class->inverse >> 32);
}

#endif /* NVMOVE_SRC_HEAP_CLASSES_H */
