/*===- stats.c - counters ---------------------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "engines/engine.h"
#include "heap.h"
#include "media.h"
#include <stdio.h>
#include <stdlib.h>

void nvm_get_stats(struct nvm_stats *out)
{
    pthread_mutex_lock(&nvmi_heap_lock);
    *out = nvmi_pool.stats;
    out->heap_used_bytes = nvmi_heap_used_bytes();
    out->lines_written = nvmi_media_counts.lines_written;
    out->lines_flushed = nvmi_media_counts.lines_flushed;
    out->fences = nvmi_media_counts.fences;
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
            "\"heap_used_bytes\":%lu,\"heap_size_bytes\":%lu,\"unannounced\":%lu,"
            "\"lines_written\":%lu,\"lines_flushed\":%lu,\"fences\":%lu,\"energy_nj\":%llu,"
            "\"collected_objects\":%lu,\"collected_bytes\":%lu,\"collected_counts\":%lu,"
            "\"engine\":\"%s\",\"media\":\"%s\"}\n",
            s.sections, s.lines_logged, s.log_bytes, s.checkpoints, s.media_waits, s.orphan_stores,
            s.early_outputs, s.heap_used_bytes, s.heap_size_bytes, s.unannounced, s.lines_written,
            s.lines_flushed, s.fences, (unsigned long long)nvmi_media_energy_nj(),
            s.collected_objects, s.collected_bytes, s.collected_counts, nvmi_pool.engine->name,
            nvmi_media.name ? nvmi_media.name : "none");
}
