/*===- stats.c - counters ---------------------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "commit/stats.h"
#include "base/engine.h"
#include "base/pool.h"
#include "heap/heap.h"
#include "heap/state.h"
#include "medium/media.h"
#include "remote/replica.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char *media_name(void)
{
    return nvmi_media.name ? nvmi_media.name : "none";
}

/* Each by itself: other threads count meanwhile. */
static void read_counters(void *to, const void *from, size_t size_bytes)
{
    unsigned long *out = to;
    const unsigned long *counter = from;
    for (size_t i = 0; i < size_bytes / sizeof(*out); i++)
        out[i] = __atomic_load_n(&counter[i], __ATOMIC_RELAXED);
}

/* The pool's own, and those of the table through which it writes. */
static struct nvm_stats read_all(void)
{
    struct nvm_stats stats;
    struct nvmi_media_counts counts;
    read_counters(&stats, &nvmi_pool.stats, sizeof(stats));
    read_counters(&counts, &nvmi_media_counts, sizeof(counts));
    stats.lines_written = counts.lines_written;
    stats.lines_flushed = counts.lines_flushed;
    stats.fences = counts.fences;
    stats.lines_read = counts.lines_read;
    stats.energy_nj = nvmi_media_energy_nj();
    stats.replica_lag = nvmi_replica_lag();
    return stats;
}

/* Under nvmi_heap_lock. */
static struct nvm_stats read_with_heap(void)
{
    struct nvm_stats stats = read_all();
    stats.heap_used_bytes = nvmi_heap_used_bytes();
    stats.heap_size_bytes = (unsigned long)nvmi_heap.page_count * NVM_PAGE_BYTES;
    return stats;
}

void nvm_get_stats(struct nvm_stats *out)
{
    pthread_mutex_lock(&nvmi_heap_lock);
    *out = read_with_heap();
    pthread_mutex_unlock(&nvmi_heap_lock);
}

static struct nvm_disk_counters *kept(void)
{
    return (struct nvm_disk_counters *)(void *)(nvmi_pool.control + NVM_COUNTERS_OFFSET);
}

void nvmi_stats_open(void)
{
    struct nvmi_pool *pool = &nvmi_pool;
    pool->keeps_stats = nvmi_stats_wanted() && pool->engine->durable;
    if (!pool->keeps_stats)
        return;
    struct nvm_disk_counters *c = kept();
    *c = (struct nvm_disk_counters){.magic = NVM_COUNTERS_MAGIC,
                                    .started_unix_s = (uint64_t)time(NULL)};
    strncpy(c->media, media_name(), sizeof(c->media) - 1);
}

void nvmi_stats_keep(void)
{
    if (!nvmi_pool.keeps_stats)
        return;
    struct nvm_stats s = read_all();
    struct nvm_disk_counters *c = kept();
    c->stores = s.stores;
    c->sections = s.sections;
    c->lines_logged = s.lines_logged;
    c->log_bytes = s.log_bytes;
    c->checkpoints = s.checkpoints;
    c->media_waits = s.media_waits;
    c->lines_written = s.lines_written;
    c->lines_flushed = s.lines_flushed;
    c->fences = s.fences;
    c->lines_read = s.lines_read;
    c->energy_nj = s.energy_nj;
    c->replica_lag = s.replica_lag;
}

void nvmi_stats_print(bool has_heap_lock)
{
    struct nvm_stats s;
    if (!nvmi_stats_wanted())
        return;
    if (has_heap_lock)
        s = read_with_heap();
    else
        nvm_get_stats(&s);
    fprintf(stderr,
            "{\"sections\":%lu,\"stores\":%lu,\"lines_logged\":%lu,\"log_bytes\":%lu,"
            "\"checkpoints\":%lu,\"media_waits\":%lu,\"orphan_stores\":%lu,"
            "\"early_outputs\":%lu,\"heap_used_bytes\":%lu,\"heap_size_bytes\":%lu,"
            "\"unannounced\":%lu,\"lines_written\":%lu,\"lines_flushed\":%lu,\"fences\":%lu,"
            "\"lines_read\":%lu,\"energy_nj\":%lu,\"collected_objects\":%lu,"
            "\"collected_bytes\":%lu,\"collected_counts\":%lu,"
            "\"replica_records\":%lu,\"replica_bytes\":%lu,\"replica_pages\":%lu,"
            "\"replica_waits\":%lu,\"replica_lag\":%lu,\"engine\":\"%s\","
            "\"media\":\"%s\"}\n",
            s.sections, s.stores, s.lines_logged, s.log_bytes, s.checkpoints, s.media_waits,
            s.orphan_stores, s.early_outputs, s.heap_used_bytes, s.heap_size_bytes, s.unannounced,
            s.lines_written, s.lines_flushed, s.fences, s.lines_read, s.energy_nj,
            s.collected_objects, s.collected_bytes, s.collected_counts, s.replica_records,
            s.replica_bytes, s.replica_pages, s.replica_waits, s.replica_lag,
            nvmi_pool.engine->name, media_name());
}
