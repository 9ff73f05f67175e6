/*===- detached.c - after nvm_detach() --------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * nvm_detach() says that the program ends: what it frees from there on is not to
 * reach the pool. So no commit is made any more, and the next start takes back what
 * was stored since the last one, as it does after a crash. Nothing is copied: the end
 * of a program costs what it stores, whatever the size of the heap.
 *
 * A section that begins afterwards, or a load, shows that the program does not end. What
 * it does would be acknowledged, and lost: so the process ends before that. Another thread
 * may not know that the process is about to end, as it does without a pool: it waits for that
 * first, without a lock of ours.
 */
#define _GNU_SOURCE
#include "commit/detached.h"
#include "base/error.h"
#include "base/pool.h"
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Return addresses, the innermost first. The first ones may be the runtime's. */
struct place {
    void *frames[5];
    int count;
};
static struct place detached_at;
static pthread_t detached_by;

static void note_place(struct place *place)
{
    place->count = backtrace(place->frames, sizeof(place->frames) / sizeof(place->frames[0]));
}

/* "server+0x2f1c, server+0x30aa": as addr2line -e server takes them. */
static const char *describe(const struct place *place, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < place->count && used < size; i++) {
        Dl_info info;
        if (!dladdr(place->frames[i], &info) || !info.dli_fname)
            continue;
        const char *slash = strrchr(info.dli_fname, '/');
        used += (size_t)snprintf(text + used, size - used, "%s%s+0x%tx", used ? ", " : "",
                                 slash ? slash + 1 : info.dli_fname,
                                 (char *)place->frames[i] - (char *)info.dli_fbase);
    }
    return text;
}

void nvmi_hold_back(void)
{
    note_place(&detached_at);
    detached_by = pthread_self();
    __atomic_store_n(&nvmi_pool.detached, true, __ATOMIC_RELEASE);
}

void nvmi_go_on_after_detach(const char *what)
{
    struct place here;
    char before[256], now[256];
    note_place(&here);
    if (!pthread_equal(pthread_self(), detached_by)) {
        struct timespec end = {.tv_sec = 2};
        while (nanosleep(&end, &end) != 0)
            continue;
    }
    nvmi_die(NVMI_EXIT_DETACHED, "detached-early",
             "pool %s: %s (%s) after nvm_detach() (%s), which says that the program ends: what it "
             "does from there on does not reach the pool. Remove that call, or move it to where no "
             "section follows",
             nvmi_pool.path, what, describe(&here, now, sizeof(now)),
             describe(&detached_at, before, sizeof(before)));
}
