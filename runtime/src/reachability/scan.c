/*===- scan.c - bytes that may be addresses ---------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "reachability/scan.h"
#include <stdbool.h>
#include <string.h>

#define ADDRESS_BITS 48u
#define CHUNK_BYTES 64u

/* A 32-bit word anywhere. */
typedef uint32_t __attribute__((aligned(1), may_alias)) anywhere32;

/* Bits 16 to 47 of an address are the number of its page; four loads 1 byte apart, each in
 * steps of 4, which compilers turn into vector instructions. False positives only
 * among places whose page fits. */
static bool chunk_has_any(const unsigned char *from, uint32_t first_page, uint32_t page_count)
{
    uint32_t any = 0;
    for (unsigned shift = 0; shift < 4; shift++) {
        const anywhere32 *word = (const anywhere32 *)(const void *)(from + 2 + shift);
        for (unsigned i = 0; i < CHUNK_BYTES / 4; i++)
            any |= word[i] - first_page < page_count;
    }
    return any;
}

static void look_at_each(const struct nvmi_scan *scan, const unsigned char *from,
                         uint64_t place_count)
{
    for (const unsigned char *place = from; place < from + place_count; place++) {
        uint64_t word;
        memcpy(&word, place, sizeof(word));
        uint64_t offset = (word - scan->target) & (((uint64_t)1 << ADDRESS_BITS) - 1);
        if (offset < scan->target_bytes)
            scan->see(scan->context, place, scan->target + offset);
    }
}

void nvmi_scan(const struct nvmi_scan *scan, const unsigned char *from, uint64_t size_bytes)
{
    uint32_t first_page = (uint32_t)(scan->target >> 16);
    uint32_t page_count = (uint32_t)(scan->target_bytes >> 16);
    if (size_bytes < sizeof(uint64_t))
        return;
    uint64_t places = size_bytes - sizeof(uint64_t) + 1, at = 0;
    /* The last place of a chunk reads 7 bytes beyond it. */
    for (; places - at >= CHUNK_BYTES; at += CHUNK_BYTES)
        if (chunk_has_any(from + at, first_page, page_count))
            look_at_each(scan, from + at, CHUNK_BYTES);
    look_at_each(scan, from + at, places - at);
}
