/*===- volatile.c - pointers to what ended with another process -------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * A connection in the pool points to its listener, which is not, and has the number of
 * its socket: in the next process these are anything. Fields declared NVM_VOLATILE are
 * null then, unless they lead into the heap or to a static that is followed; fields
 * declared NVM_DESCRIPTOR are -1, or no bit of an fd_set is set. Before anybody can look, by
 * ordinary commits; a cut in between is as good as none.
 */
#include "reachability/volatile.h"
#include "base/error.h"
#include "base/pool.h"
#include "named/roots.h"
#include "named/statics.h"
#include "named/types.h"
#include "reachability/pointers.h"
#include <string.h>

static bool done; /* for the process that is about to open the pool */

bool nvmi_volatile_due(void)
{
    return !done && (nvmi_types_are_volatile() || nvmi_roots_are_volatile());
}

void nvmi_volatile_close(void)
{
    done = false;
}

static void clear(void *context, unsigned char *place, enum nvmi_ending what)
{
    uint64_t *count = context, word = 0;
    int descriptor = 0;
    if (what == NVMI_DESCRIPTOR)
        memcpy(&descriptor, place, sizeof(descriptor));
    else
        memcpy(&word, place, sizeof(word));
    if (descriptor > 0)
        memset(nvm_store(place, sizeof(int)), -1, sizeof(int));
    else if (what == NVMI_DESCRIPTORS ? word != 0 : nvmi_is_of_another_process(word))
        memset(nvm_store(place, sizeof(word)), 0, sizeof(word));
    else
        return;
    nvmi_pointers_commit_some(++*count);
}

void nvmi_volatile_clear(const struct nvmi_reach *reach)
{
    uint64_t count = 0;
    struct nvmi_pointers pointers = {.reach = reach, .see_volatile = clear, .context = &count};
    nvm_begin();
    nvmi_types_adopt();
    nvmi_pointers(&pointers);
    nvm_end();
    done = true;
    if (count)
        nvmi_note("pool %s: %llu pointers and descriptors ended with another process: null, -1",
                  nvmi_pool.path, (unsigned long long)count);
}
