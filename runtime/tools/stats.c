/*===- stats.c - nvm-pool stats: what the heap is full of ---------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "engines/engine.h"
#include "heap.h"
#include "medium.h"
#include "named.h"
#include "pool_tool.h"
#include "reach.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct row {
    const char *name;
    uint64_t objects, bytes, pages;
};

static void count_block(void *context, const struct nvmi_block *block)
{
    struct row *row = (struct row *)context + block->type;
    row->objects++;
    row->bytes += block->size_bytes;
}

static void count(struct row *rows)
{
    for (struct nvm_disk_entry *e = nvmi_entry_first(); e; e = nvmi_entry_next(e))
        if (e->kind == NVM_ENTRY_TYPE && e->a <= NVMI_MAX_TYPES)
            rows[e->a].name = nvmi_entry_name(e);
    nvmi_each_committed(count_block, rows);
    for (uint32_t page = 0; page < nvmi_pool.backed_pages; page++) {
        const struct nvm_disk_page *e = &nvmi_heap.directory[page];
        if (e->state == NVM_PAGE_SLAB)
            rows[e->type].pages++;
        else if (e->state == NVM_PAGE_LARGE)
            rows[e->type].pages += e->run;
    }
}

static int by_bytes(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    return (x->pages < y->pages) - (x->pages > y->pages);
}

/* Of the pages that objects of the type stand in, how much is not theirs. */
static double fragmentation(const struct row *row)
{
    double room = (double)row->pages * NVM_PAGE_BYTES;
    return row->pages ? 100 * (1 - (double)row->bytes / room) : 0;
}

static void print_rows(struct row *rows)
{
    struct row sum = {.name = "all"};
    qsort(rows, NVMI_MAX_TYPES + 1, sizeof(*rows), by_bytes);
    printf("%-24s %12s %14s %9s %13s\n", "type", "objects", "bytes", "pages", "fragmented");
    for (unsigned i = 0; i <= NVMI_MAX_TYPES && rows[i].pages; i++) {
        printf("%-24s %12" PRIu64 " %14" PRIu64 " %9" PRIu64 " %11.1f %%\n",
               rows[i].name ? rows[i].name : "?", rows[i].objects, rows[i].bytes, rows[i].pages,
               fragmentation(&rows[i]));
        sum.objects += rows[i].objects;
        sum.bytes += rows[i].bytes;
        sum.pages += rows[i].pages;
    }
    printf("%-24s %12" PRIu64 " %14" PRIu64 " %9" PRIu64 " %11.1f %%\n", sum.name, sum.objects,
           sum.bytes, sum.pages, fragmentation(&sum));
}

int pool_stats(int argc, char **argv)
{
    const struct nvmi_pool *pool = &nvmi_pool;
    char size[64];
    if (argc != 1)
        return POOL_TOOL_WRONG_CALL;
    if (pool_look_whole(argv[0]) != 0)
        return pool_complain();
    struct row *rows = calloc(NVMI_MAX_TYPES + 1, sizeof(*rows));
    if (!rows) {
        perror("nvm-pool");
        return 1;
    }
    count(rows);
    print_rows(rows);
    free(rows);
    nvmi_pool_size(pool, size, sizeof(size));
    printf("\nfile %s; heap %u of %" PRIu64 " pages in use, highest %" PRIu64 ", %" PRIu64
           " kept free for a start; commit %" PRIu64 "\n",
           size, nvmi_heap.used_pages, pool->header.page_count, nvmi_heap_header()->virgin_page,
           nvmi_heap_header()->headroom_pages, pool->epoch);
    return 0;
}
