/*===- draft.c - a pool that takes the place of another ---------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * While pages arrive they are no state that ever was, so they go to a file beside the
 * pool. It gets the pool's name when it is whole and has been examined.
 */
#define _GNU_SOURCE
#include "base/engine.h"
#include "base/error.h"
#include "engines/engines.h"
#include "host.h"
#include "medium/backing.h"
#include "medium/header.h"
#include "medium/locks.h"
#include "medium/log.h"
#include "medium/medium.h"
#include "open/create.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int failed(const struct host_draft *draft, int error)
{
    return nvmi_fail(error, error == ENOSPC || error == EDQUOT ? "replica-full" : "pool-io",
                     "%s: %s", draft->path, strerror(error));
}

/* Only what has data, so that the copy has as few blocks. */
static int copy_data(int from, int to)
{
    struct stat file;
    if (fstat(from, &file) != 0 || ftruncate(to, file.st_size) != 0)
        return errno;
    for (off_t at = 0; at < file.st_size;) {
        off_t data = lseek(from, at, SEEK_DATA);
        if (data < 0)
            return errno == ENXIO ? 0 : errno;
        off_t end = lseek(from, data, SEEK_HOLE), target = data;
        if (end < 0)
            return errno;
        while (data < end) {
            ssize_t n = copy_file_range(from, &data, to, &target, (size_t)(end - data), 0);
            if (n <= 0)
                return n < 0 ? errno : EIO;
        }
        at = end;
    }
    return 0;
}

static int copy_pool(struct host_draft *draft)
{
    int fd = open(draft->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int error = fd < 0 ? errno : copy_data(nvmi_pool.fd, fd);
    if (fd >= 0)
        close(fd);
    return error ? failed(draft, error) : 0;
}

static int map(struct host_draft *draft)
{
    struct nvmi_pool *pool = &draft->pool;
    struct nvmi_peek peek;
    struct stat file;
    draft->fd = open(draft->path, O_RDWR | O_CLOEXEC);
    if (draft->fd < 0 || fstat(draft->fd, &file) != 0)
        return failed(draft, errno);
    int error = nvmi_peek(draft->fd, draft->path, &peek);
    if (error)
        return error;
    *pool = (struct nvmi_pool){.fd = draft->fd,
                               .header = peek.header,
                               .control_read = peek.control,
                               .device = file.st_dev,
                               .inode = file.st_ino,
                               .engine = nvmi_engine_of_replicas(),
                               .format = nvmi_engine_of_replicas()};
    draft->control_offset = peek.control_offset;
    void *arena = mmap(NULL, peek.header.arena_size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                       draft->fd, (off_t)peek.header.arena_offset);
    if (arena == MAP_FAILED)
        return failed(draft, errno);
    draft->arena = arena;
    return 0;
}

int draft_begin(struct host_draft *draft, const char *host_path, const struct nvm_disk_header *like)
{
    int n = snprintf(draft->path, sizeof(draft->path), "%s.nvmove-replica", host_path);
    struct nvmi_new_pool wanted = {
        .size_bytes = NVMI_MIN_BYTES, .engine = nvmi_engine_of_replicas(), .like = like};
    draft->fd = -1;
    draft->arena = NULL;
    if (n < 0 || (size_t)n >= sizeof(draft->path))
        return nvmi_fail(ENAMETOOLONG, "pool-missing", "%.100s: the path is too long", host_path);
    unlink(draft->path); /* of one that was cut */
    if (like)
        wanted.max_bytes = nvmi_replica_bytes(like);
    int error = like ? nvmi_create(draft->path, wanted) : copy_pool(draft);
    if (!error)
        error = map(draft);
    if (error)
        draft_drop(draft);
    return error;
}

int draft_make_room(struct host_draft *draft, uint64_t page_count, uint64_t *size_bytes)
{
    struct nvmi_pool *pool = &draft->pool;
    struct nvmi_range range[NVMI_MAX_RANGES];
    if (page_count > pool->header.page_count)
        return nvmi_fail(EINVAL, "replica-protocol", "the heap has no %llu pages",
                         (unsigned long long)page_count);
    uint32_t pages = nvmi_backing_up(pool, page_count ? page_count : 1);
    int error = nvmi_back_pages(pool, pages);
    if (error)
        return failed(draft, error);
    unsigned n = nvmi_arena_ranges(pool, 0, pages, range);
    *size_bytes = range[n - 1].offset + range[n - 1].size_bytes;
    return 0;
}

static int write_control(struct host_draft *draft, uint64_t epoch)
{
    unsigned char text[NVM_MARKS_OFFSET + sizeof(struct nvm_disk_marks)] = {0};
    struct nvm_disk_marks marks = {0};
    struct nvm_disk_control c = {.sequence = draft->pool.control_read.sequence,
                                 .state = NVM_STATE_VALID,
                                 .base_epoch = epoch + 1};
    for (int i = 0; i < 2; i++) {
        c.sequence++;
        c.crc = nvmi_control_crc(&c);
        memcpy(text + c.sequence % 2 * NVM_LINE_BYTES, &c, sizeof(c));
    }
    marks.sequence = c.sequence;
    memcpy(text + NVM_MARKS_OFFSET, &marks, sizeof(marks));
    ssize_t n = pwrite(draft->fd, text, sizeof(text), (off_t)draft->control_offset);
    return n == (ssize_t)sizeof(text) ? 0 : failed(draft, n < 0 ? errno : EIO);
}

static void unmap(struct host_draft *draft)
{
    if (draft->arena)
        munmap(draft->arena, draft->pool.header.arena_size_bytes);
    if (draft->fd >= 0)
        close(draft->fd);
    draft->arena = NULL;
    draft->fd = -1;
}

int draft_publish(struct host_draft *draft, const char *host_path, bool power, uint64_t epoch)
{
    char directory[4200], text[512];
    int error = write_control(draft, epoch);
    if (!error && power && fdatasync(draft->fd) != 0)
        error = failed(draft, errno);
    if (error)
        return error;
    bool was_open = nvmi_pool.open;
    void *lock = nvmi_pool.lock; /* nobody else is to take the file meanwhile */
    nvmi_pool.lock = NULL;
    unmap(draft);
    host_close();
    error = host_open(draft->path, power);
    if (!error && nvmi_pool.epoch != epoch)
        error = nvmi_fail(EINVAL, "pool-damaged", "%s is not as of commit %llu", draft->path,
                          (unsigned long long)epoch);
    if (!error && rename(draft->path, host_path) != 0)
        error = failed(draft, errno);
    nvmi_lock_release(lock);
    if (!error) {
        snprintf(nvmi_pool.path, sizeof(nvmi_pool.path), "%s", host_path);
        *draft->path = 0;
        nvmi_directory_of(host_path, directory, sizeof(directory));
        if (power && (error = nvmi_sync_path(directory)))
            return nvmi_fail(error, "pool-io", "%s: %s", host_path, strerror(error));
        return 0;
    }
    snprintf(text, sizeof(text), "%s", nvm_errormsg());
    host_close();
    draft_drop(draft);
    if (was_open && host_open(host_path, power) != 0)
        nvmi_die(NVMI_EXIT_FULL, "pool-io", "%s cannot be opened again: %s", host_path,
                 nvm_errormsg());
    return nvmi_fail_said(error, text);
}

void draft_drop(struct host_draft *draft)
{
    unmap(draft);
    if (*draft->path)
        unlink(draft->path);
    *draft->path = 0;
}
