/*===- stats.c - nvm-pool stats: what the heap is full of, what was counted -===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "base/pool.h"
#include "heap/state.h"
#include "medium/medium.h"
#include "pool_tool.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int by_pages(const void *a, const void *b)
{
    const struct pool_type_use *x = a, *y = b;
    return (x->pages < y->pages) - (x->pages > y->pages);
}

/* Of the pages that objects of the type stand in, how much is not theirs. */
static double fragmentation(const struct pool_type_use *row)
{
    double room = (double)row->pages * NVM_PAGE_BYTES;
    return row->pages ? 100 * (1 - (double)row->bytes / room) : 0;
}

static void print_rows(struct pool_type_use *rows)
{
    struct pool_type_use sum = pool_use_of_all(rows);
    qsort(rows, NVMI_MAX_TYPES + 1, sizeof(*rows), by_pages);
    printf("%-24s %12s %14s %9s %13s\n", "type", "objects", "bytes", "pages", "fragmented");
    for (unsigned i = 0; i <= NVMI_MAX_TYPES && rows[i].pages; i++)
        printf("%-24s %12" PRIu64 " %14" PRIu64 " %9" PRIu64 " %11.1f %%\n",
               rows[i].name ? rows[i].name : "?", rows[i].objects, rows[i].bytes, rows[i].pages,
               fragmentation(&rows[i]));
    printf("%-24s %12" PRIu64 " %14" PRIu64 " %9" PRIu64 " %11.1f %%\n", sum.name, sum.objects,
           sum.bytes, sum.pages, fragmentation(&sum));
}

/* Of the process that had the pool last and was asked to count. */
static void print_counters(void)
{
    const struct nvm_disk_counters *c = (const void *)(nvmi_pool.control + NVM_COUNTERS_OFFSET);
    const struct {
        const char *name;
        uint64_t value;
    } rows[] = {{"stores", c->stores},
                {"sections", c->sections},
                {"lines logged", c->lines_logged},
                {"log bytes", c->log_bytes},
                {"checkpoints", c->checkpoints},
                {"waits for the medium", c->media_waits},
                {"lines written", c->lines_written},
                {"lines flushed", c->lines_flushed},
                {"fences", c->fences},
                {"lines read", c->lines_read},
                {"energy, nJ", c->energy_nj},
                {"replica lag", c->replica_lag}};
    if (c->magic != NVM_COUNTERS_MAGIC)
        return;
    char started[64];
    time_t at = (time_t)c->started_unix_s;
    struct tm parts;
    if (!gmtime_r(&at, &parts) || !strftime(started, sizeof(started), "%Y-%m-%d %H:%M:%SZ", &parts))
        snprintf(started, sizeof(started), "?");
    printf("\ncounted with NVM_STATS=1 by the process of %s, media %.*s:\n", started,
           (int)sizeof(c->media), c->media);
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        printf("%-24s %12" PRIu64 "\n", rows[i].name, rows[i].value);
}

int pool_stats(int argc, char **argv)
{
    const struct nvmi_pool *pool = &nvmi_pool;
    char size[64];
    if (argc != 1)
        return POOL_TOOL_WRONG_CALL;
    if (pool_look_whole(argv[0]) != 0)
        return pool_complain();
    struct pool_type_use *rows = pool_use_by_type();
    if (!rows)
        return pool_complain();
    print_rows(rows);
    free(rows);
    nvmi_pool_size(pool, size, sizeof(size));
    printf("\nfile %s; heap %u of %" PRIu64 " pages in use, highest %" PRIu64 ", %" PRIu64
           " kept free for a start; commit %" PRIu64 "\n",
           size, nvmi_heap.used_pages, pool->header.page_count, nvmi_heap_header()->virgin_page,
           nvmi_heap_header()->headroom_pages, pool->epoch);
    print_counters();
    return 0;
}
