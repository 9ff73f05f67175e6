/*===- findings.c - what a marking has found --------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "reachability/findings.h"
#include "base/memory.h"
#include "base/pool.h"
#include "heap/state.h"
#include "reachability/reach.h"
#include <string.h>
#include <sys/mman.h>

static void *reserve_shared(size_t size_bytes)
{
    void *p = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

struct nvmi_findings *nvmi_findings_new(bool typed)
{
    struct nvmi_findings *f = reserve_shared(sizeof(*f));
    if (!f)
        return NULL;
    f->typed = typed;
    f->unit_count = nvmi_units_in_use();
    f->unreached = reserve_shared(f->unit_count / 8);
    f->lowering = reserve_shared(f->unit_count * sizeof(*f->lowering));
    if (f->unreached && f->lowering)
        return f;
    nvmi_findings_release(f);
    return NULL;
}

void nvmi_findings_release(struct nvmi_findings *f)
{
    if (!f)
        return;
    nvmi_release(f->unreached, f->unit_count / 8);
    nvmi_release(f->lowering, f->unit_count * sizeof(*f->lowering));
    nvmi_release(f, sizeof(*f));
}

static uint64_t count_at(const unsigned char *p, unsigned size_bytes)
{
    uint64_t value = 0;
    memcpy(&value, p, size_bytes); /* little endian, as the pool is */
    return value;
}

/* Values that programs give to objects that are never to go are left alone, and
 * so is what may be negative. */
static bool is_plain(uint64_t count, unsigned size_bytes)
{
    return count > 0 && count <= ((uint64_t)1 << (size_bytes * 8 - 2));
}

struct pass {
    struct nvmi_reach reach;
    struct nvmi_findings *found;
};

static void compare_count(struct pass *pass, const struct nvmi_block *block)
{
    const struct nvmi_reach_type *type = &pass->reach.types[block->type];
    uint64_t unit = nvmi_unit_of(block->start);
    if (!type->count_bytes || type->count_offset + type->count_bytes > block->size_bytes)
        return;
    uint64_t stored = count_at(block->start + type->count_offset, type->count_bytes);
    uint64_t counted = pass->reach.references[unit];
    if (is_plain(stored, type->count_bytes) && counted < stored && counted > 0)
        pass->found->lowering[pass->found->lowering_count++] =
            (struct nvmi_lowering){unit, type->count_offset, type->count_bytes, stored - counted};
}

static void judge(void *context, const struct nvmi_block *block)
{
    struct pass *pass = context;
    if (nvmi_is_reached(&pass->reach, block->start)) {
        compare_count(pass, block);
        return;
    }
    uint64_t unit = nvmi_unit_of(block->start);
    pass->found->unreached[unit / 64] |= (uint64_t)1 << unit % 64;
    pass->found->objects++;
    pass->found->bytes += block->size_bytes;
}

void nvmi_findings_fill(struct nvmi_findings *found)
{
    struct pass pass = {.found = found};
    int done = 2;
    if (nvmi_reach(&pass.reach, nvmi_pool.header.heap_address, found->typed) == 0) {
        nvmi_each_committed(judge, &pass);
        nvmi_reach_release(&pass.reach);
        done = 1;
    }
    __atomic_store_n(&found->done, done, __ATOMIC_RELEASE);
}
