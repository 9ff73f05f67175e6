/*===- create.c - making a pool file ----------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "open/create.h"
#include "base/crc32c.h"
#include "base/engine.h"
#include "base/error.h"
#include "base/pool.h"
#include "engines/engines.h"
#include "medium/backing.h"
#include "medium/huge.h"
#include "medium/locks.h"
#include "medium/log.h"
#include "medium/log_limit.h"
#include "medium/medium.h"
#include "medium/pmem.h"
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
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#define MIB (1ull << 20)
#define STEP_BYTES (64u << 10)
#define PMEMOBJ_BYTES (8 * MIB) /* as little as libpmemobj makes a pool */

static uint64_t clamp(uint64_t x, uint64_t low, uint64_t high)
{
    return x < low ? low : x > high ? high : x;
}

static uint64_t up(uint64_t x, uint64_t unit)
{
    return (x + unit - 1) / unit * unit;
}

/* The largest object that fits: from its first page boundary on it is the engine's
 * area and the arena. libpmemobj allocates less than 16 GiB at once. */
static int take_largest(PMEMobjpool *pop, uint64_t most, uint64_t *start, uint64_t *end)
{
    PMEMoid oid;
    for (uint64_t size = clamp(most, 0, 15360 * MIB); size > 4 * STEP_BYTES; size -= STEP_BYTES)
        if (pmemobj_alloc(pop, &oid, size, 1, NULL, NULL) == 0) {
            *start = up(oid.off, NVM_PAGE_BYTES);
            *end = (oid.off + pmemobj_alloc_usable_size(oid)) / NVM_PAGE_BYTES * NVM_PAGE_BYTES;
            return *start < *end ? 0 : -1;
        }
    return -1;
}

/* On what borders the arena, and the pages in it, begin. In a small pool huge ones would cost a
 * part of the heap. */
static uint64_t border(uint64_t arena_size_bytes)
{
    return arena_size_bytes >= 1024 * MIB ? NVMI_HUGE_BYTES : NVM_PAGE_BYTES;
}

/* Splits the arena into its parts. */
static int plan_arena(struct nvm_disk_header *h, const struct nvmi_new_pool *wanted)
{
    uint64_t fixed = 4096, per_page = sizeof(struct nvm_disk_page) + NVM_BITMAP_BYTES;
    uint64_t usual = clamp(h->arena_size_bytes / 64 / 4096 * 4096, 128u << 10, MIB);
    h->table_size_bytes = usual + up(wanted->table_bytes, 4096);
    h->twin_size_bytes = usual + up(wanted->twin_bytes, 4096);
    uint64_t parts =
        fixed + h->table_size_bytes + h->twin_size_bytes + 4 * 4096 + border(h->arena_size_bytes);
    if (h->arena_size_bytes < parts + 4 * NVM_PAGE_BYTES)
        return -1;
    h->page_count = (h->arena_size_bytes - parts) / (NVM_PAGE_BYTES + per_page);
    h->directory_offset = fixed;
    h->bitmap_offset = up(h->directory_offset + h->page_count * sizeof(struct nvm_disk_page), 4096);
    h->table_offset = up(h->bitmap_offset + h->page_count * NVM_BITMAP_BYTES, 4096);
    h->twin_offset = h->table_offset + h->table_size_bytes;
    h->page_offset = up(h->twin_offset + h->twin_size_bytes, border(h->arena_size_bytes));
    return h->page_count < UINT32_MAX / (NVM_PAGE_BYTES / NVM_LINE_BYTES) ? 0 : -1;
}

uint64_t nvmi_replica_bytes(const struct nvm_disk_header *like)
{
    uint64_t log_bytes = nvmi_engine_of_replicas()->area_bytes(like->arena_size_bytes);
    uint64_t sum =
        PMEMOBJ_BYTES + up(log_bytes, NVM_PAGE_BYTES) + NVMI_HUGE_BYTES + like->arena_size_bytes;
    return sum < NVMI_MIN_BYTES ? NVMI_MIN_BYTES : up(sum, NVM_PAGE_BYTES);
}

/* The arena at the end of the file, as the other pool has it; what is left is the log. */
static int plan_like(struct nvm_disk_header *h, const struct nvm_disk_header *like, uint64_t end)
{
    if (like->arena_size_bytes + NVM_PAGE_BYTES + NVMI_HUGE_BYTES > end - h->log_offset)
        return -1;
    h->arena_offset = (end - like->arena_size_bytes) / NVMI_HUGE_BYTES * NVMI_HUGE_BYTES;
    h->log_size_bytes = h->arena_offset - h->log_offset;
    h->arena_size_bytes = like->arena_size_bytes;
    h->heap_address = like->heap_address;
    h->page_count = like->page_count;
    h->directory_offset = like->directory_offset;
    h->bitmap_offset = like->bitmap_offset;
    h->table_offset = like->table_offset;
    h->table_size_bytes = like->table_size_bytes;
    h->twin_offset = like->twin_offset;
    h->twin_size_bytes = like->twin_size_bytes;
    h->page_offset = like->page_offset;
    memcpy(h->uuid, like->uuid, sizeof(h->uuid));
    return 0;
}

/* Where area and arena lie. Behind its heap libpmemobj never writes, so they go on
 * there to the end of the file; unless libpmemobj is to roll them back, which it
 * does only inside of its heap. */
static int plan(PMEMobjpool *pop, const struct nvmi_new_pool *wanted, struct nvm_disk_header *h)
{
    const struct nvm_engine *engine = wanted->engine;
    uint64_t start, end, most = wanted->max_bytes;
    PMEMoid spare = OID_NULL;
    if (engine->spare_part &&
        pmemobj_alloc(pop, &spare, most / engine->spare_part, 2, NULL, NULL) != 0)
        return -1;
    if (take_largest(pop, engine->grows ? PMEMOBJ_BYTES : most, &start, &end) != 0)
        return -1;
    if (engine->spare_part)
        pmemobj_free(&spare);
    if (engine->grows)
        end = most / NVM_PAGE_BYTES * NVM_PAGE_BYTES;
    *h = (struct nvm_disk_header){.magic = NVM_DISK_MAGIC,
                                  .version = NVM_DISK_VERSION,
                                  .engine = engine->number,
                                  .pool_size_bytes = most,
                                  .initial_size_bytes = wanted->size_bytes,
                                  .heap_address = NVM_HEAP_ADDRESS,
                                  .created_unix_s = (uint64_t)time(NULL),
                                  .log_offset = start,
                                  .log_size_bytes = up(engine->area_bytes(most), NVM_PAGE_BYTES),
                                  .log_soft_bytes = nvmi_log_soft_bytes(most)};
    if (getrandom(h->uuid, sizeof(h->uuid), 0) != sizeof(h->uuid) ||
        h->log_size_bytes >= end - start)
        return -1;
    if (wanted->like)
        return plan_like(h, wanted->like, end);
    uint64_t limit = engine->arena_limit ? engine->arena_limit(h->log_size_bytes) : UINT64_MAX;
    h->arena_offset = up(start + h->log_size_bytes, border(end - start - h->log_size_bytes));
    h->arena_size_bytes = clamp(end - h->arena_offset, 0, limit) / NVM_PAGE_BYTES * NVM_PAGE_BYTES;
    return plan_arena(h, wanted);
}

static int fill(PMEMobjpool *pop, const char *path, const struct nvmi_new_pool *wanted,
                struct nvm_disk_header *header)
{
    PMEMoid root = pmemobj_root(pop, NVM_ROOT_BYTES);
    struct nvm_disk_control slot[2] = {{.state = NVM_STATE_IMPORTING, .base_epoch = 1}};
    if (OID_IS_NULL(root) || plan(pop, wanted, header) != 0)
        return nvmi_fail(EINVAL, "pool-size", "%s: a pool of engine %s cannot have %llu bytes",
                         path, wanted->engine->name, (unsigned long long)wanted->max_bytes);
    slot[0].crc = nvmi_control_crc(&slot[0]);
    slot[1] = slot[0];
    slot[1].sequence = 1;
    slot[1].crc = nvmi_control_crc(&slot[1]);
    header->crc = nvmi_crc32c(0, header, offsetof(struct nvm_disk_header, crc));
    unsigned char *to = (unsigned char *)pop + nvmi_line_up(root.off);
    memcpy(to, header, sizeof(*header));
    memcpy(to + NVM_CONTROL_OFFSET, slot, sizeof(slot));
    return 0;
}

static int creation_failed(const char *path, int error)
{
    if (error == ENOSPC || error == EFBIG || error == EDQUOT)
        return nvmi_fail(ENOSPC, "pool-full", "%s: the disk has no space for the pool", path);
    if (error == EROFS || error == EACCES || error == EPERM)
        return nvmi_fail(error == EROFS ? EROFS : EACCES, "pool-read-only",
                         "%s: cannot create the pool: %s", path, strerror(error));
    if (error == EEXIST || error == EAGAIN || error == EBUSY)
        return nvmi_fail(EBUSY, "pool-busy", "%s is being created by another process", path);
    if (error == ENOENT || error == ENOTDIR)
        return nvmi_fail(ENOENT, "pool-missing", "%s: no such directory", path);
    return nvmi_fail(error ? error : EINVAL, "pool-io", "%s: cannot create the pool: %s", path,
                     pmemobj_errormsg());
}

/* Room is asked for first: with a limit on file sizes the attempt itself would
 * kill the process (SIGXFSZ), and a file system fills up slowly. */
static int check_room(const char *path, const char *directory, struct nvmi_new_pool *wanted)
{
    struct rlimit limit;
    struct statvfs fs;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < wanted->max_bytes) {
        if (wanted->max_is_given || limit.rlim_cur < wanted->size_bytes)
            return creation_failed(path, EFBIG);
        wanted->max_bytes = limit.rlim_cur / NVM_PAGE_BYTES * NVM_PAGE_BYTES;
    }
    if (statvfs(directory, &fs) != 0)
        return creation_failed(path, errno);
    if ((uint64_t)fs.f_bavail * fs.f_frsize < wanted->size_bytes)
        return creation_failed(path, ENOSPC);
    return 0;
}

/* Is it the draft that the path leads to, and nobody's? (A process of an earlier version
 * has libpmemobj's lock only.) 0 or an errno. */
static int check_draft(int fd, const char *draft)
{
    struct stat file, named;
    if (flock(fd, LOCK_EX | LOCK_NB) != 0 || flock(fd, LOCK_UN) != 0)
        return errno;
    if (fstat(fd, &file) != 0)
        return errno;
    if (stat(draft, &named) != 0)
        return errno == ENOENT ? ESTALE : errno;
    return file.st_dev == named.st_dev && file.st_ino == named.st_ino ? 0 : ESTALE;
}

/* The draft, locked before anything is written to it, so that no other process takes it
 * away; empty, whatever one that died has left. Gives back the descriptor, or -1 with
 * errno: EEXIST, the pool is there by now. */
static int open_draft(const char *path, const char *draft)
{
    int error = ESTALE;
    for (int attempt = 0; attempt < 100 && error == ESTALE; attempt++) {
        int fd = open(draft, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (fd < 0) {
            error = errno;
            break;
        }
        error = nvmi_lock_file(fd);
        if (!error)
            error = check_draft(fd, draft);
        if (!error && access(path, F_OK) == 0) {
            unlink(draft);
            close(fd);
            errno = EEXIST;
            return -1;
        }
        if (!error && ftruncate(fd, 0) != 0)
            error = errno;
        if (!error)
            return fd;
        close(fd);
    }
    errno = creation_failed(path, error == ESTALE ? EAGAIN : error);
    return -1;
}

/* libpmemobj's part, complete. 0 or an errno with its message. */
static int make_draft(const char *path, const char *draft, int fd,
                      const struct nvmi_new_pool *wanted, struct nvm_disk_header *header)
{
    uint64_t size_bytes = wanted->engine->grows ? PMEMOBJ_BYTES : wanted->max_bytes;
    int error = posix_fallocate(fd, 0, (off_t)size_bytes);
    if (error)
        return creation_failed(path, error);
    nvmi_pmem_enter();
    PMEMobjpool *pop = pmemobj_create(draft, NVM_DISK_LAYOUT_NAME, 0, 0600);
    error = errno;
    nvmi_pmem_leave();
    if (!pop)
        return creation_failed(path, error);
    error = fill(pop, path, wanted, header);
    pmemobj_close(pop);
    return error;
}

/* The rest of the file: its length, and blocks for what it is to have at once. */
static int extend_draft(const char *path, int fd, const struct nvmi_new_pool *wanted,
                        const struct nvm_disk_header *header)
{
    struct nvmi_pool pool = {
        .fd = fd, .header = *header, .engine = wanted->engine, .format = wanted->engine};
    struct stat file;
    if (ftruncate(fd, (off_t)header->pool_size_bytes) != 0 || fstat(fd, &file) != 0)
        return creation_failed(path, errno);
    pool.device = file.st_dev;
    pool.inode = file.st_ino;
    double part = (double)wanted->size_bytes / (double)wanted->max_bytes;
    int error = nvmi_back_pages(&pool, (uint64_t)(part * (double)header->page_count) + 1);
    if (!error && wanted->durable && fsync(fd) != 0)
        error = errno;
    return error ? creation_failed(path, error) : 0;
}

/* Gives the draft its name. */
static int publish(const char *path, const char *draft, const char *directory,
                   const struct nvmi_new_pool *wanted)
{
    /* Two processes may get here: the second finds the name taken. */
    if (renameat2(AT_FDCWD, draft, AT_FDCWD, path, RENAME_NOREPLACE) != 0)
        return errno == EEXIST   ? EEXIST
               : errno == ENOENT ? creation_failed(path, EAGAIN) /* someone removed the draft */
                                 : creation_failed(path, errno);
    int error = wanted->durable ? nvmi_sync_path(directory) : 0;
    return error ? creation_failed(path, error) : 0;
}

static int check_sizes(struct nvmi_new_pool *wanted)
{
    if (wanted->size_bytes < NVMI_MIN_BYTES || wanted->max_bytes < wanted->size_bytes)
        return nvmi_fail(EINVAL, "pool-size",
                         "a pool has at least %llu bytes, and at most the size that it may grow to",
                         (unsigned long long)NVMI_MIN_BYTES);
    wanted->size_bytes = up(wanted->size_bytes, NVM_PAGE_BYTES);
    wanted->max_bytes = up(wanted->max_bytes, NVM_PAGE_BYTES);
    if (wanted->engine->grows || wanted->max_bytes == wanted->size_bytes)
        return 0;
    if (wanted->max_is_given)
        return nvmi_fail(EINVAL, "pool-size", "%s",
                         NVMI_CANNOT(wanted->engine, grows, "let a pool grow"));
    wanted->max_bytes = wanted->size_bytes;
    return 0;
}

int nvmi_create(const char *path, struct nvmi_new_pool wanted)
{
    char draft[PATH_MAX + 16], directory[PATH_MAX];
    struct nvm_disk_header header;
    nvmi_directory_of(path, directory, sizeof(directory));
    snprintf(draft, sizeof(draft), "%s.nvmove-new", path);
    int error = check_sizes(&wanted);
    if (error || (error = check_room(path, directory, &wanted)))
        return error;
    int fd = open_draft(path, draft);
    if (fd < 0)
        return errno;
    error = make_draft(path, draft, fd, &wanted, &header);
    if (!error && wanted.durable)
        error = nvmi_engine_check_medium(wanted.engine, path, nvmi_medium_is_dax(fd));
    if (!error)
        error = extend_draft(path, fd, &wanted, &header);
    if (!error)
        error = publish(path, draft, directory, &wanted);
    if (error)
        unlink(draft);
    close(fd);
    return error;
}
