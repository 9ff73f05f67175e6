/*===- info.c - nvm-pool info: what a pool is, holds and survives -----------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "base/engine.h"
#include "base/pool.h"
#include "heap/heap.h"
#include "heap/state.h"
#include "medium/huge.h"
#include "medium/medium.h"
#include "named/table.h"
#include "pool_tool.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void print_entries(const struct pool_type_use *use)
{
    static const char *const kinds[] = {"?",    "type", "layout", "root",     "root array",
                                        "keep", "twin", "region", "function", "static"};
    for (struct nvm_disk_entry *e = nvmi_entry_first(); e; e = nvmi_entry_next(e)) {
        printf("%-10s %s", kinds[e->kind <= NVM_ENTRY_STATIC ? e->kind : 0], nvmi_entry_name(e));
        if (e->kind == NVM_ENTRY_TYPE && e->a <= NVMI_MAX_TYPES)
            printf("  %" PRIu64 " objects, %" PRIu64 " bytes", use[e->a].objects, use[e->a].bytes);
        if (e->kind == NVM_ENTRY_LAYOUT || e->kind == NVM_ENTRY_ARRAY)
            printf("  %" PRIu64 " bytes, %u fields", e->a, e->field_count);
        if (e->kind == NVM_ENTRY_ROOT || e->kind == NVM_ENTRY_KEEP)
            printf("  %u bytes", e->value_bytes);
        if (e->kind == NVM_ENTRY_ROOT && e->value_bytes == 8) {
            uint64_t value;
            memcpy(&value, nvmi_entry_value(e), sizeof(value));
            printf(", 0x%" PRIx64, value);
        }
        putchar('\n');
    }
}

static void print_medium(const struct nvmi_pool *pool)
{
    char name[32];
    const int fd = pool->fd;
    const char *pages = pool->restored ? nvmi_page_size_of(pool) : NULL;
    nvmi_medium_name(fd, name, sizeof(name));
    printf("medium     %s%s%s%s: a commit survives a crash of the process%s\n", name,
           nvmi_medium_is_dax(fd) ? " dax" : "", pages ? ", " : "", pages ? pages : "",
           nvmi_medium_is_volatile(fd) ? "" : "; with NVM_DURABILITY=power also power loss");
}

/* What the heap holds, and everything that has a name. */
static int print_content(const struct nvmi_pool *pool)
{
    const struct nvm_disk_header *h = &pool->header;
    struct pool_type_use *use = pool_use_by_type();
    if (!use)
        return pool_complain();
    struct pool_type_use all = pool_use_of_all(use);
    char used[32];
    nvmi_human_bytes(nvmi_heap_used_bytes(), used, sizeof(used));
    printf("heap       at 0x%" PRIx64 ", %" PRIu64 " pages of 64 KiB, %s in use by %" PRIu64
           " objects of %" PRIu64 " bytes\n",
           h->heap_address, h->page_count, used, all.objects, all.bytes);
    print_entries(use);
    free(use);
    return 0;
}

int pool_info(int argc, char **argv)
{
    if (argc != 1)
        return POOL_TOOL_WRONG_CALL;
    if (pool_look(argv[0]) != 0)
        return pool_complain();
    const struct nvmi_pool *pool = &nvmi_pool;
    const struct nvm_disk_header *h = &pool->header;
    char size[64], log[32], made[64];
    time_t created = (time_t)h->created_unix_s;
    nvmi_pool_size(pool, size, sizeof(size));
    nvmi_human_bytes(pool->log_end.offset, log, sizeof(log));
    const struct tm *date = gmtime(&created);
    if (!date || !strftime(made, sizeof(made), "%Y-%m-%d %H:%M:%S UTC", date))
        snprintf(made, sizeof(made), "at an unknown time");
    printf("pool       %s, %s, format %u, made %s%s\n", pool->path, size, h->version, made,
           pool_in_use() ? ", in use" : "");
    print_medium(pool);
    printf("engine     %s\n", pool->format->name);
    if (!pool->restored) {
        printf("state      no commit yet: the next start creates it again\n");
        return 0;
    }
    printf("state      commit %" PRIu64, pool->epoch);
    if (pool->format->keeps_snapshot)
        printf("; %s in the log not yet applied", log);
    if (pool->format->opens_first)
        printf("; what a crash interrupted is rolled back at the next start");
    putchar('\n');
    return print_content(pool);
}
