/*===- sites.c - allocations by the calls that led to them ---===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "observe.h"
#include <string.h>

#define MOST_SITES (1u << 16)
#define BUCKETS (MOST_SITES * 2)

struct nvmi_site *nvmi_sites;
uint32_t nvmi_site_count;
static uint32_t *buckets; /* number of a site, plus one */

static void open_sites(void)
{
    nvmi_sites = nvmi_obtain(MOST_SITES * sizeof(*nvmi_sites) + BUCKETS * sizeof(*buckets));
    buckets = (uint32_t *)(nvmi_sites + MOST_SITES);
    nvmi_site_count = 1; /* the first one stands for all that find no room */
}

static uint64_t hash_of(const uintptr_t *frames)
{
    uint64_t hash = 0;
    for (unsigned i = 0; i < NVMI_MOST_FRAMES; i++)
        hash = (hash ^ frames[i]) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

uint32_t nvmi_site_of(const void *caller)
{
    uintptr_t frames[NVMI_MOST_FRAMES + 1] = {0};
    unsigned n = 0;
    if (!nvmi_sites)
        open_sites();
    if (nvmi_is_text((uintptr_t)caller))
        frames[n++] = (uintptr_t)caller;
    else if (nvmi_outer)
        frames[n++] = (uintptr_t)nvmi_outer;
    nvmi_calls(frames + n, NVMI_MOST_FRAMES - n);
    uint32_t at = (uint32_t)(hash_of(frames) % BUCKETS);
    for (; buckets[at]; at = (at + 1) % BUCKETS)
        if (!memcmp(nvmi_sites[buckets[at] - 1].frames, frames, sizeof(nvmi_sites->frames)))
            return buckets[at] - 1;
    if (nvmi_site_count == MOST_SITES)
        return 0;
    memcpy(nvmi_sites[nvmi_site_count].frames, frames, sizeof(nvmi_sites->frames));
    buckets[at] = ++nvmi_site_count;
    return nvmi_site_count - 1;
}
