/*===- verify.c - finding stores that no hook announced ---------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * A shadow of the arena takes the announced lines at each commit; whatever then
 * differs from the working copy was written without announcement. It is reported
 * with the object it lies in, and announced after all, so that the run goes on.
 */
#include "commit/verify.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/pool.h"
#include "heap/directory.h"
#include "heap/heap.h"
#include "heap/state.h"
#include "named/describe.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define MOST_REPORTS 100u

static unsigned char *shadow;
static unsigned long reports;
static bool trap;

static void copy_range(uint64_t offset, uint64_t size_bytes)
{
    memcpy(shadow + offset, nvmi_pool.heap + offset, size_bytes);
}

static void copy_used(void *unused, uint64_t offset, uint64_t size_bytes)
{
    (void)unused;
    copy_range(offset, size_bytes);
}

int nvmi_verify_open(void)
{
    const char *wanted = getenv("NVM_VERIFY_TRAP");
    trap = wanted && *wanted && *wanted != '0';
    reports = 0;
    shadow = nvmi_reserve(nvmi_pool.header.arena_size_bytes);
    if (!shadow)
        return nvmi_fail(ENOMEM, "no-memory", "no address space for the shadow of the heap");
    nvmi_heap_each_used(copy_used, NULL);
    for (uint32_t page = 0; page < nvmi_pool.backed_pages && page < nvmi_virgin_page(); page++)
        if (nvmi_heap.directory[page].state == NVM_PAGE_FREE) /* it may hold anything */
            copy_range(nvmi_pool.header.page_offset + (uint64_t)page * NVM_PAGE_BYTES,
                       NVM_PAGE_BYTES);
    return 0;
}

void nvmi_verify_close(void)
{
    nvmi_release(shadow, nvmi_pool.header.arena_size_bytes);
    shadow = NULL;
}

static void report(uint64_t line)
{
    const unsigned char *now = nvmi_pool.heap + line, *then = shadow + line;
    char what[NVMI_DESCRIPTION_BYTES];
    unsigned i = 0;
    while (now[i] == then[i])
        i++;
    NVMI_COUNT(unannounced, 1);
    if (++reports > MOST_REPORTS)
        return;
    nvmi_describe(now + i, what, sizeof(what));
    nvmi_note("unannounced store to %s", what);
    if (reports == MOST_REPORTS)
        nvmi_note("further unannounced stores are only counted");
    if (trap)
        raise(SIGTRAP);
}

static void compare(uint64_t offset, uint64_t size_bytes)
{
    struct nvmi_lines *lines = &nvmi_pool.changes.lines;
    if (memcmp(nvmi_pool.heap + offset, shadow + offset, size_bytes) == 0)
        return;
    for (uint64_t at = offset; at < offset + size_bytes; at += NVM_LINE_BYTES) {
        if (memcmp(nvmi_pool.heap + at, shadow + at, NVM_LINE_BYTES) == 0)
            continue;
        report(at);
        if (lines->count == lines->capacity)
            nvmi_bug("more announced lines than the heap has");
        lines->number[lines->count++] = (uint32_t)(at / NVM_LINE_BYTES);
        copy_range(at, NVM_LINE_BYTES);
    }
}

/* Twins are not announced; they follow the tables. */
static void compare_used(void *unused, uint64_t offset, uint64_t size_bytes)
{
    const struct nvm_disk_header *h = &nvmi_pool.header;
    (void)unused;
    compare(offset, offset == h->table_offset ? h->twin_offset - h->table_offset : size_bytes);
}

void nvmi_verify_commit(void)
{
    const struct nvmi_changes *changes = &nvmi_pool.changes;
    for (size_t i = 0; i < changes->zero_count; i++)
        memset(shadow + changes->zero[i].offset, 0, changes->zero[i].size_bytes);
    for (size_t i = 0; i < changes->lines.count; i++)
        copy_range((uint64_t)changes->lines.number[i] * NVM_LINE_BYTES, NVM_LINE_BYTES);
    nvmi_heap_each_used(compare_used, NULL);
}
