/*===- nvm-pool.c - looks at a pool file ------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 *   nvm-pool info FILE    what the pool is, holds and survives
 *   nvm-pool check FILE   reads all of it; status 0 if it is sound, 1 if not
 *
 * Opens the file for reading only: never changes a byte. Of a pool in use, info
 * shows some moment between two commits or nothing; check refuses.
 */
#define _GNU_SOURCE
#include "engines/engine.h"
#include "examine.h"
#include "heap.h"
#include "locks.h"
#include "medium.h"
#include "named.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int complain(void)
{
    fprintf(stderr, "nvm-pool: error: %s\n", nvm_errormsg());
    return 1;
}

static int look(const char *path)
{
    struct nvmi_pool *pool = &nvmi_pool;
    snprintf(pool->path, sizeof(pool->path), "%s", path);
    pool->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat file;
    if (pool->fd < 0 || fstat(pool->fd, &file) != 0)
        return nvmi_fail(errno, "pool-missing", "%s: %s", path, strerror(errno));
    pool->device = file.st_dev;
    pool->inode = file.st_ino;
    return nvmi_examine(pool, true);
}

static bool in_use(void)
{
    const struct nvmi_pool *p = &nvmi_pool;
    return nvmi_lock_is_held(p->fd, p->path, p->device, p->inode, NVMI_LOCK_OWNER);
}

static void print_entries(void)
{
    static const char *const kinds[] = {"?",          "type", "layout", "root",
                                        "root array", "keep", "twin",   "region"};
    for (struct nvm_disk_entry *e = nvmi_entry_first(); e; e = nvmi_entry_next(e)) {
        printf("%-10s %s", kinds[e->kind <= NVM_ENTRY_REGION ? e->kind : 0], nvmi_entry_name(e));
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

static void print_medium(int fd)
{
    char name[32];
    nvmi_medium_name(fd, name, sizeof(name));
    printf("medium     %s%s: a commit survives a crash of the process%s\n", name,
           nvmi_medium_is_dax(fd) ? " dax" : "",
           nvmi_medium_is_volatile(fd) ? "" : "; with NVM_DURABILITY=power also power loss");
}

static int info(void)
{
    const struct nvmi_pool *pool = &nvmi_pool;
    const struct nvm_disk_header *h = &pool->header;
    char size[32], used[32], log[32], made[64];
    time_t created = (time_t)h->created_unix_s;
    nvmi_human_bytes(h->pool_size_bytes, size, sizeof(size));
    nvmi_human_bytes(nvmi_heap_used_bytes(), used, sizeof(used));
    nvmi_human_bytes(pool->log_end.offset, log, sizeof(log));
    strftime(made, sizeof(made), "%Y-%m-%d %H:%M:%S UTC", gmtime(&created));
    printf("pool       %s, %s, format %u, made %s%s\n", pool->path, size, h->version, made,
           in_use() ? ", in use" : "");
    print_medium(pool->fd);
    printf("engine     %s\n", pool->format->name);
    if (!pool->restored) {
        printf("state      no commit yet: the next start makes it afresh\n");
        return 0;
    }
    printf("state      commit %" PRIu64, pool->epoch);
    if (pool->format->keeps_home)
        printf("; %s in the log wait to be brought home", log);
    if (pool->format->opens_first)
        printf("; what a crash cut short is rolled back at the next start");
    putchar('\n');
    printf("heap       at 0x%" PRIx64 ", %" PRIu64 " pages of 64 KiB, %s in use\n", h->heap_address,
           h->page_count, used);
    print_entries();
    return 0;
}

/* Every page: the directory has been checked; now the bitmaps and the runs. */
static int check_pages(uint64_t *objects)
{
    for (uint32_t page = 0; page < nvmi_heap.page_count; page++) {
        const struct nvm_disk_page *e = &nvmi_heap.directory[page];
        const uint64_t *bits =
            (const uint64_t *)(void *)(nvmi_heap.bitmaps + (size_t)page * NVM_BITMAP_BYTES);
        uint32_t room = e->state == NVM_PAGE_SLAB
                            ? (uint32_t)(NVM_PAGE_BYTES / nvmi_class_bytes(e->size_class))
                            : 0;
        for (uint32_t i = 0; i < NVM_BITMAP_BYTES * 8; i++) {
            bool set = bits[i / 64] >> i % 64 & 1;
            if (set && i >= room)
                return nvmi_fail(EINVAL, "pool-damaged", "%s: the bitmap of page %u is damaged",
                                 nvmi_pool.path, page);
            *objects += set;
        }
        *objects += e->state == NVM_PAGE_LARGE;
        for (uint32_t i = 1; e->state == NVM_PAGE_LARGE && i < e->run; i++)
            if (e[i].state != NVM_PAGE_TAIL || e[i].run != i)
                return nvmi_fail(EINVAL, "pool-damaged", "%s: the run of page %u is damaged",
                                 nvmi_pool.path, page);
        if (e->state == NVM_PAGE_TAIL &&
            (e[-(ptrdiff_t)e->run].state != NVM_PAGE_LARGE || e[-(ptrdiff_t)e->run].run <= e->run))
            return nvmi_fail(EINVAL, "pool-damaged", "%s: page %u belongs to no run",
                             nvmi_pool.path, page);
    }
    return 0;
}

static int check(void)
{
    uint64_t objects = 0;
    if (in_use()) {
        nvmi_fail(EBUSY, "pool-busy", "%s is used by another process", nvmi_pool.path);
        return complain();
    }
    if (!nvmi_pool.restored) {
        printf("sound: no commit yet\n");
        return 0;
    }
    if (nvmi_pool.format->view(&nvmi_pool, UINT64_MAX) != 0)
        return complain();
    if (check_pages(&objects) != 0)
        return complain();
    printf("sound: commit %" PRIu64 ", %" PRIu64 " objects\n", nvmi_pool.epoch, objects);
    return 0;
}

int main(int argc, char **argv)
{
    bool is_check = argc == 3 && strcmp(argv[1], "check") == 0;
    if (argc != 3 || (!is_check && strcmp(argv[1], "info") != 0)) {
        fprintf(stderr, "usage: nvm-pool info|check FILE\n");
        return 2;
    }
    if (look(argv[2]) != 0)
        return complain();
    return is_check ? check() : info();
}
