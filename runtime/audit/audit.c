/*===- audit.c - stores that no hook announced ----------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The compiler (gcc -fsanitize=kernel-address, all checks by call, no reads)
 * puts a call of __asan_storeN_noabort before each store, copies of whole
 * records included; libc's writers come here through the wrappers. What was
 * announced is kept to the byte: a hook for a neighbour in the same line does not
 * count, although the engine would take the line.
 */
#include "base/error.h"
#include "base/memory.h"
#include "base/pool.h"
#include "hook/hook.h"
#include "intercept.h"
#include "sites.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXIT_UNANNOUNCED 70 /* as in sysexits.h: the program is wrong */
/* Announcements beyond this are added to the last one of the list. */
#define MOST_RANGES (1u << 20)

struct range {
    uint64_t first, end; /* bytes of the bitmap */
};

/* A bit for each byte of the heap, and where any are set. */
struct announced {
    unsigned char *bits;
    struct range *ranges;
    size_t count;
};

/* `before`: until the section before the open one ended. A store of another
 * thread, outside sections, may follow its announcement so late. */
static struct announced now, before;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t heap_bytes;
static bool any_ended;

static size_t bitmap_bytes(void)
{
    return heap_bytes / 8 + 16;
}

static void open_announced(struct announced *a)
{
    a->bits = nvmi_reserve(bitmap_bytes());
    a->ranges = nvmi_reserve(MOST_RANGES * sizeof(*a->ranges));
    a->count = 0;
    if (!a->bits || !a->ranges)
        nvmi_die(NVMI_EXIT_START, "no-memory", "no address space for the audit");
}

static void close_announced(struct announced *a)
{
    nvmi_release(a->bits, bitmap_bytes());
    nvmi_release(a->ranges, MOST_RANGES * sizeof(*a->ranges));
    memset(a, 0, sizeof(*a));
}

static void opened(void)
{
    heap_bytes = nvmi_pool.header.arena_size_bytes;
    open_announced(&now);
    open_announced(&before);
}

static void closed(void)
{
    if (now.bits) {
        close_announced(&now);
        close_announced(&before);
    }
}

static void remember(struct announced *a, uint64_t first, uint64_t end)
{
    struct range *last = &a->ranges[a->count ? a->count - 1 : 0];
    if (a->count && (a->count == MOST_RANGES || (first >= last->first && first <= last->end))) {
        last->first = first < last->first ? first : last->first;
        last->end = end > last->end ? end : last->end;
        return;
    }
    a->ranges[a->count++] = (struct range){first, end};
}

static void announced(uint64_t offset, uint64_t size_bytes)
{
    if (offset >= heap_bytes || size_bytes == 0)
        return;
    uint64_t end = size_bytes > heap_bytes - offset ? heap_bytes : offset + size_bytes;
    pthread_mutex_lock(&lock);
    remember(&now, offset / 8, (end + 7) / 8);
    for (; offset < end && offset % 8; offset++)
        now.bits[offset / 8] |= (unsigned char)(1u << offset % 8);
    if (end - offset >= 8)
        memset(now.bits + offset / 8, 0xff, (end - offset) / 8);
    for (offset += (end - offset) / 8 * 8; offset < end; offset++)
        now.bits[offset / 8] |= (unsigned char)(1u << offset % 8);
    pthread_mutex_unlock(&lock);
}

static void ended(void)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < before.count; i++)
        memset(before.bits + before.ranges[i].first, 0,
               before.ranges[i].end - before.ranges[i].first);
    before.count = 0;
    struct announced swap = now;
    now = before;
    before = swap;
    any_ended = true;
    pthread_mutex_unlock(&lock);
}

/* The first byte that was not announced, or the end. */
static uint64_t first_unannounced(uint64_t offset, uint64_t end)
{
    bool late = nvmi_depth == 0;
    while (offset < end) {
        unsigned bits = now.bits[offset / 8] | (late ? before.bits[offset / 8] : 0);
        if (bits == 0xff)
            offset = offset / 8 * 8 + 8;
        else if (bits >> offset % 8 & 1)
            offset++;
        else
            return offset;
    }
    return end;
}

void nvmi_intercept(const void *p, size_t size_bytes, const void *caller)
{
    uint64_t offset = (unsigned long)p - nvm_hot.base;
    if (offset >= nvm_hot.size_bytes || offset >= heap_bytes || size_bytes == 0)
        return;
    uint64_t end = size_bytes > heap_bytes - offset ? heap_bytes : offset + size_bytes;
    uint64_t missed = first_unannounced(offset, end);
    if (missed < end)
        nvmi_site((const char *)p + (missed - offset), size_bytes, caller);
}

/*===-- the end -------------------------------------------------------------===*/

/* exit() only: a child that looks at a snapshot says nothing. */
static void summarise(int status, void *unused)
{
    unsigned long stores;
    size_t sites = nvmi_sites(&stores);
    (void)unused;
    if (nvmi_pool.snapshot || (!sites && !any_ended))
        return;
    if (!sites) {
        nvmi_note("audit: every store to the heap was announced");
        return;
    }
    nvmi_note("audit: %zu places made %lu stores that no hook announced", sites, stores);
    nvmi_sites_print();
    if (status == 0) {
        fflush(NULL);
        _exit(EXIT_UNANNOUNCED);
    }
}

/* Registered before all others, so that it runs after them: the runtime's own
 * commits at exit. */
__attribute__((constructor(101))) static void begin(void)
{
    static const struct nvmi_audit audit = {opened, closed, announced, ended};
    nvmi_audit = &audit;
    on_exit(summarise, NULL);
}
