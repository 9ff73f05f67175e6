/*===- create.c - making a pool file ----------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "create.h"
#include "crc32c.h"
#include "engines/engine.h"
#include "error.h"
#include "log.h"
#include "medium.h"
#include "pmem.h"
#include <errno.h>
#include <fcntl.h>
#include <libpmemobj.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

/* libpmemobj allocates less than 16 GiB at once. */
uint64_t nvmi_segment_limit_bytes = 15ull << 30;
uint64_t nvmi_log_soft_limit_bytes;

#define MIB (1ull << 20)
#define STEP_BYTES (256u << 10) /* libpmemobj's chunk */

static uint64_t clamp(uint64_t x, uint64_t low, uint64_t high)
{
    return x < low ? low : x > high ? high : x;
}

static uint64_t up(uint64_t x, uint64_t unit)
{
    return (x + unit - 1) / unit * unit;
}

/* An object whose usable part begins and ends at a page boundary of the file. */
static int take_object(PMEMobjpool *pop, uint64_t type, uint64_t size_bytes,
                       struct nvm_disk_segment *out)
{
    PMEMoid oid;
    if (pmemobj_alloc(pop, &oid, size_bytes, type, NULL, NULL) != 0)
        return -1;
    out->file_offset = up(oid.off, NVM_PAGE_BYTES);
    out->size_bytes = (oid.off + pmemobj_alloc_usable_size(oid)) / NVM_PAGE_BYTES * NVM_PAGE_BYTES -
                      out->file_offset;
    return 0;
}

/* The largest object that fits. */
static int take_largest(PMEMobjpool *pop, uint64_t most, struct nvm_disk_segment *out)
{
    for (uint64_t size = most; size > 4 * STEP_BYTES; size -= STEP_BYTES)
        if (take_object(pop, 2, size, out) == 0)
            return 0;
    return -1;
}

/* Splits the arena into its parts. */
static int plan_arena(struct nvm_disk_header *h)
{
    uint64_t fixed = 4096, per_page = sizeof(struct nvm_disk_page) + NVM_BITMAP_BYTES;
    h->table_size_bytes = clamp(h->arena_size_bytes / 64 / 4096 * 4096, 128u << 10, MIB);
    h->twin_size_bytes = h->table_size_bytes;
    uint64_t parts = fixed + h->table_size_bytes + h->twin_size_bytes + 4 * 4096 + NVM_PAGE_BYTES;
    if (h->arena_size_bytes < parts + 4 * NVM_PAGE_BYTES)
        return -1;
    h->page_count = (h->arena_size_bytes - parts) / (NVM_PAGE_BYTES + per_page);
    h->directory_offset = fixed;
    h->bitmap_offset = up(h->directory_offset + h->page_count * sizeof(struct nvm_disk_page), 4096);
    h->table_offset = up(h->bitmap_offset + h->page_count * NVM_BITMAP_BYTES, 4096);
    h->twin_offset = h->table_offset + h->table_size_bytes;
    h->page_offset = up(h->twin_offset + h->twin_size_bytes, NVM_PAGE_BYTES);
    return h->page_count < UINT32_MAX / (NVM_PAGE_BYTES / NVM_LINE_BYTES) ? 0 : -1;
}

uint64_t nvmi_log_soft_bytes(uint64_t pool_bytes)
{
    uint64_t soft = clamp(pool_bytes / 16, 4 * MIB, 64 * MIB);
    if (pool_bytes < 4 * soft)
        soft = up(pool_bytes / 16, NVM_PAGE_BYTES);
    return nvmi_log_soft_limit_bytes ? nvmi_log_soft_limit_bytes : soft;
}

/* The arena takes what is left, as far as the engine's area serves it. */
static void take_arena(PMEMobjpool *pop, uint64_t limit, struct nvm_disk_header *h)
{
    while (h->segment_count < NVM_MAX_SEGMENTS) {
        uint64_t most = limit - h->arena_size_bytes;
        if (most > nvmi_segment_limit_bytes)
            most = nvmi_segment_limit_bytes;
        struct nvm_disk_segment *segment = &h->segment[h->segment_count];
        if (take_largest(pop, most, segment) != 0)
            break;
        h->arena_size_bytes += segment->size_bytes;
        h->segment_count++;
    }
}

static int plan(PMEMobjpool *pop, uint64_t size_bytes, const struct nvm_engine *engine,
                struct nvm_disk_header *h)
{
    struct nvm_disk_segment log;
    PMEMoid spare = OID_NULL;
    h->magic = NVM_DISK_MAGIC;
    h->version = NVM_DISK_VERSION;
    h->pool_size_bytes = size_bytes;
    h->heap_address = NVM_HEAP_ADDRESS;
    h->created_unix_s = (uint64_t)time(NULL);
    h->engine = engine->number;
    h->log_soft_bytes = nvmi_log_soft_bytes(size_bytes);
    uint64_t wanted = up(engine->area_bytes(size_bytes), NVM_PAGE_BYTES);
    if (take_object(pop, 1, wanted + NVM_PAGE_BYTES, &log) != 0)
        return -1;
    h->log_offset = log.file_offset;
    h->log_size_bytes = log.size_bytes;
    if (engine->spare_part &&
        pmemobj_alloc(pop, &spare, size_bytes / engine->spare_part, 3, NULL, NULL) != 0)
        return -1;
    take_arena(pop, engine->arena_limit ? engine->arena_limit(log.size_bytes) : size_bytes, h);
    if (engine->spare_part)
        pmemobj_free(&spare);
    if (getrandom(h->uuid, sizeof(h->uuid), 0) != sizeof(h->uuid))
        return -1;
    return plan_arena(h);
}

static int fill(PMEMobjpool *pop, const char *path, uint64_t size_bytes,
                const struct nvm_engine *engine)
{
    PMEMoid root = pmemobj_root(pop, NVM_ROOT_BYTES);
    struct nvm_disk_header header = {0};
    struct nvm_disk_control slot[2] = {{.state = NVM_STATE_IMPORTING, .base_epoch = 1}};
    if (OID_IS_NULL(root) || plan(pop, size_bytes, engine, &header) != 0)
        return nvmi_fail(EINVAL, "pool-size", "%s: %llu bytes are too few for a pool", path,
                         (unsigned long long)size_bytes);
    slot[0].crc = nvmi_control_crc(&slot[0]);
    slot[1] = slot[0];
    slot[1].sequence = 1;
    slot[1].crc = nvmi_control_crc(&slot[1]);
    header.crc = nvmi_crc32c(0, &header, offsetof(struct nvm_disk_header, crc));
    unsigned char *to = (unsigned char *)pop + nvmi_line_up(root.off);
    memcpy(to, &header, sizeof(header));
    memcpy(to + NVM_CONTROL_OFFSET, slot, sizeof(slot));
    return 0;
}

static int creation_failed(const char *path, int error)
{
    if (error == ENOSPC || error == EFBIG || error == EDQUOT)
        return nvmi_fail(ENOSPC, "pool-full", "%s: the disk has no room for the pool", path);
    if (error == EROFS || error == EACCES || error == EPERM)
        return nvmi_fail(error == EROFS ? EROFS : EACCES, "pool-read-only",
                         "%s: cannot create the pool: %s", path, strerror(error));
    if (error == ENOENT || error == ENOTDIR)
        return nvmi_fail(ENOENT, "pool-missing", "%s: no such directory", path);
    return nvmi_fail(error ? error : EINVAL, "pool-io", "%s: cannot create the pool: %s", path,
                     pmemobj_errormsg());
}

/* Room is asked for first: with a limit on file sizes the attempt itself would
 * kill the process (SIGXFSZ), and a file system fills up slowly. */
static int check_room(const char *path, const char *directory, uint64_t size_bytes)
{
    struct rlimit limit;
    struct statvfs fs;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < size_bytes)
        return creation_failed(path, EFBIG);
    if (statvfs(directory, &fs) != 0)
        return creation_failed(path, errno);
    if ((uint64_t)fs.f_bavail * fs.f_frsize < size_bytes)
        return creation_failed(path, ENOSPC);
    return 0;
}

/* A file left by a process that died while making it, unless one is at it. */
static int remove_stale(const char *draft)
{
    int fd = open(draft, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? 0 : errno;
    int error = flock(fd, LOCK_EX | LOCK_NB) != 0 ? errno : unlink(draft) != 0 ? errno : 0;
    close(fd);
    return error;
}

static int sync_path(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int error = fd < 0 || fsync(fd) != 0 ? errno : 0;
    if (fd >= 0)
        close(fd);
    return error;
}

static int check_medium(const char *path, const char *draft, const struct nvm_engine *engine)
{
    int fd = open(draft, O_RDWR | O_CLOEXEC);
    bool dax = fd >= 0 && nvmi_medium_is_dax(fd);
    if (fd >= 0)
        close(fd);
    return nvmi_medium_check(path, dax, engine);
}

int nvmi_create(const char *path, uint64_t size_bytes, const struct nvm_engine *engine, int durable)
{
    char draft[PATH_MAX + 16], directory[PATH_MAX];
    const char *slash = strrchr(path, '/');
    snprintf(directory, sizeof(directory), "%.*s", slash > path ? (int)(slash - path) : 1, path);
    snprintf(draft, sizeof(draft), "%s.nvmove-new", path);
    if (size_bytes < NVMI_MIN_BYTES)
        return nvmi_fail(EINVAL, "pool-size", "a pool has at least %llu bytes",
                         (unsigned long long)NVMI_MIN_BYTES);
    size_bytes = up(size_bytes, NVM_PAGE_BYTES);
    int error = check_room(path, directory, size_bytes);
    if (error)
        return error;
    error = remove_stale(draft);
    if (error == EAGAIN)
        return nvmi_fail(EBUSY, "pool-busy", "%s is being created by another process", path);
    if (error)
        return creation_failed(path, error);
    nvmi_pmem_enter();
    PMEMobjpool *pop = pmemobj_create(draft, NVM_DISK_LAYOUT_NAME, size_bytes, 0600);
    error = errno;
    nvmi_pmem_leave();
    if (!pop) {
        if (error != EEXIST && error != EAGAIN)
            unlink(draft);
        return creation_failed(path, error);
    }
    error = durable ? check_medium(path, draft, engine) : 0;
    if (!error)
        error = fill(pop, path, size_bytes, engine);
    pmemobj_close(pop);
    if (!error && durable && (error = sync_path(draft)))
        creation_failed(path, error);
    /* Two processes may get here: the second finds the name taken. */
    if (!error && renameat2(AT_FDCWD, draft, AT_FDCWD, path, RENAME_NOREPLACE) != 0)
        error = errno == EEXIST ? EEXIST : creation_failed(path, errno);
    if (error)
        unlink(draft);
    else if (durable && (error = sync_path(directory)))
        creation_failed(path, error);
    return error;
}
