/*===- stats.c - counters ---------------------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "heap.h"
#include <stdio.h>
#include <stdlib.h>

void nvm_get_stats(struct nvm_stats *out)
{
    pthread_mutex_lock(&nvmi_heap_lock);
    *out = nvmi_pool.stats;
    out->heap_used_bytes = nvmi_heap_used_bytes();
    out->heap_size_bytes = (unsigned long)nvmi_heap.page_count * NVM_PAGE_BYTES;
    pthread_mutex_unlock(&nvmi_heap_lock);
}

void nvmi_stats_print(void)
{
    const char *wanted = getenv("NVM_STATS");
    struct nvm_stats s;
    if (!wanted || !*wanted || *wanted == '0')
        return;
    nvm_get_stats(&s);
    fprintf(stderr,
            "{\"sections\":%lu,\"lines_logged\":%lu,\"log_bytes\":%lu,\"checkpoints\":%lu,"
            "\"media_waits\":%lu,\"orphan_stores\":%lu,\"early_outputs\":%lu,"
            "\"heap_used_bytes\":%lu,\"heap_size_bytes\":%lu,\"unannounced\":%lu}\n",
            s.sections, s.lines_logged, s.log_bytes, s.checkpoints, s.media_waits, s.orphan_stores,
            s.early_outputs, s.heap_used_bytes, s.heap_size_bytes, s.unannounced);
}
