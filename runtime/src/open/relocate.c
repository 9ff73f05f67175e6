/*===- relocate.c - a pool at another address -------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "open/relocate.h"
#include "base/crc32c.h"
#include "base/error.h"
#include "base/pool.h"
#include "medium/header.h"
#include "medium/locks.h"
#include "medium/medium.h"
#include "open/open.h"
#include "reachability/reach.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define STEP_BYTES ((uint64_t)1 << 40)
#define END_OF_ADDRESSES ((uint64_t)1 << 47)
#define COPY_BYTES ((size_t)1 << 20)

static int io_error(const char *path, int error)
{
    return nvmi_fail(error, error == ENOSPC ? "pool-full" : "pool-io", "%s: %s", path,
                     strerror(error));
}

static bool is_free(uint64_t address, uint64_t size_bytes)
{
    void *wanted = (void *)(uintptr_t)address;
    void *p = mmap(wanted, size_bytes, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (p != MAP_FAILED)
        munmap(p, size_bytes);
    return p == wanted;
}

static bool overlap(uint64_t a, uint64_t b, uint64_t size_bytes)
{
    return (a < b ? b - a : a - b) < size_bytes;
}

static int choose_address(const struct nvm_disk_header *h, const char *path, uint64_t *to)
{
    uint64_t size = h->arena_size_bytes;
    if (*to && (*to % NVM_PAGE_BYTES || *to >= END_OF_ADDRESSES - size ||
                overlap(*to, h->heap_address, size)))
        return nvmi_fail(EINVAL, "relocate",
                         "%s cannot move from 0x%llx to 0x%llx: not a multiple of 64 KiB, beyond "
                         "the process's addresses or overlapping",
                         path, (unsigned long long)h->heap_address, (unsigned long long)*to);
    for (uint64_t at = NVM_HEAP_ADDRESS; !*to && at < 2 * NVM_HEAP_ADDRESS; at += STEP_BYTES)
        if (!overlap(at, h->heap_address, size) && is_free(at, size))
            *to = at;
    return *to ? 0 : nvmi_fail(ENOMEM, "address-taken", "%s: no address is free", path);
}

static ssize_t write_all(int fd, const char *bytes, size_t count, off_t at)
{
    for (size_t done = 0; done < count;) {
        ssize_t n = pwrite(fd, bytes + done, count - done, at + (off_t)done);
        if (n < 0)
            return -1;
        done += (size_t)n;
    }
    return (ssize_t)count;
}

/* Only what has blocks; where the file has none the copy has none either. */
static int copy_range(int from, int to, off_t at, off_t end)
{
    static char buffer[COPY_BYTES];
    while (at < end) {
        size_t want = (size_t)(end - at) < COPY_BYTES ? (size_t)(end - at) : COPY_BYTES;
        ssize_t n = pread(from, buffer, want, at);
        if (n <= 0)
            return n ? errno : EIO;
        if (write_all(to, buffer, (size_t)n, at) < 0)
            return errno;
        at += n;
    }
    return 0;
}

static int copy_file(int from, int to)
{
    struct stat file;
    if (fstat(from, &file) != 0 || ftruncate(to, file.st_size) != 0)
        return errno;
    for (off_t at = 0; at < file.st_size;) {
        off_t data = lseek(from, at, SEEK_DATA);
        if (data < 0)
            return errno == ENXIO ? 0 : errno;
        off_t hole = lseek(from, data, SEEK_HOLE);
        if (hole < 0)
            return errno;
        int error = copy_range(from, to, data, hole);
        if (error)
            return error;
        at = hole;
    }
    return 0;
}

static int set_address(int fd, const struct nvmi_peek *peek, uint64_t to)
{
    struct nvm_disk_header header = peek->header;
    header.heap_address = to;
    header.crc = nvmi_crc32c(0, &header, offsetof(struct nvm_disk_header, crc));
    off_t at = (off_t)(peek->control_offset - NVM_CONTROL_OFFSET);
    return write_all(fd, (const char *)&header, sizeof(header), at) < 0 ? errno : 0;
}

static int make_copy(int from, const struct nvmi_peek *peek, const char *copy, uint64_t to)
{
    struct stat file;
    unlink(copy); /* of an attempt that was cut short; nobody else has the pool */
    int fd = fstat(from, &file) == 0
                 ? open(copy, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, file.st_mode & 0777)
                 : -1;
    int error = fd < 0 ? errno : copy_file(from, fd);
    if (!error)
        error = set_address(fd, peek, to);
    if (fd >= 0 && close(fd) != 0 && !error)
        error = errno;
    return error ? io_error(copy, error) : 0;
}

struct change {
    uint64_t distance, count;
    bool write;
};

static void change_pointer(void *context, unsigned char *place)
{
    struct change *change = context;
    uint64_t word;
    change->count++;
    if (!change->write)
        return;
    memcpy(&word, place, sizeof(word));
    word += change->distance;
    memcpy(nvm_store(place, sizeof(word)), &word, sizeof(word));
    nvmi_pointers_commit_some(change->count);
}

/* The pool that is open lies at the new address, its pointers lead to the old one. */
static int change_all(const char *path, struct nvmi_relocation *r)
{
    struct nvmi_reach reach;
    struct change change = {.distance = r->to - r->from};
    int error = nvmi_reach(&reach, r->from, false);
    if (error)
        return error;
    struct nvmi_pointers pointers = {.reach = &reach,
                                     .promise = r->promise,
                                     .promise_count = r->promise_count,
                                     .see = change_pointer,
                                     .context = &change};
    nvmi_pointers_into_heap(&pointers);
    nvmi_pointers(&pointers); /* looks, before anything is written */
    if (pointers.unknown[0]) {
        error = nvmi_fail(EFAULT, "pointers-unknown",
                          "%s cannot move: these hold what may be addresses: %s", path,
                          pointers.unknown);
    } else {
        change = (struct change){.distance = r->to - r->from, .write = true};
        nvm_begin();
        nvmi_pointers(&pointers);
        nvm_end();
        r->pointers = change.count;
    }
    nvmi_reach_release(&reach);
    return error;
}

static int move_copy(const char *copy, const char *path, struct nvmi_relocation *r)
{
    int error = nvmi_open_bare(copy, false);
    if (error)
        return error;
    nvm_restore();
    nvm_ready();
    error = change_all(path, r);
    nvm_close();
    return error;
}

static int take_place(const char *copy, const char *path)
{
    char directory[PATH_MAX];
    nvmi_directory_of(path, directory, sizeof(directory));
    int error = nvmi_sync_path(copy);
    if (!error && rename(copy, path) != 0)
        error = errno;
    if (!error)
        error = nvmi_sync_path(directory);
    return error ? io_error(path, error) : 0;
}

static int relocate_file(int fd, const char *path, struct nvmi_relocation *r)
{
    char copy[PATH_MAX + sizeof(NVMI_MOVED_SUFFIX)];
    struct nvmi_peek peek;
    snprintf(copy, sizeof(copy), "%s%s", path, NVMI_MOVED_SUFFIX);
    int error = nvmi_peek(fd, path, &peek);
    if (!error && peek.control.state != NVM_STATE_VALID)
        error = nvmi_fail(EINVAL, "pool-empty", "%s holds no commit yet", path);
    r->from = peek.header.heap_address;
    if (error || (error = choose_address(&peek.header, path, &r->to)))
        return error;
    error = make_copy(fd, &peek, copy, r->to);
    if (!error)
        error = move_copy(copy, path, r);
    if (!error)
        error = take_place(copy, path);
    if (error)
        unlink(copy);
    return error;
}

int nvmi_relocate(const char *path, struct nvmi_relocation *r)
{
    char real[PATH_MAX];
    struct stat file;
    if (nvmi_pool.open)
        return nvmi_fail(EBUSY, "pool-open", "this process has %s open", nvmi_pool.path);
    int fd = realpath(path, real) ? open(real, O_RDWR | O_CLOEXEC) : -1;
    if (fd < 0 || fstat(fd, &file) != 0) {
        int error = errno;
        if (fd >= 0)
            close(fd);
        return nvmi_fail(error, "pool-missing", "%s: %s", path, strerror(error));
    }
    void *lock = nvmi_lock_take(real, file.st_dev, file.st_ino, NVMI_LOCK_OWNER);
    int error = lock ? relocate_file(fd, real, r)
                     : nvmi_fail(EBUSY, "pool-busy", "%s is used by another process", real);
    nvmi_lock_release(lock);
    close(fd);
    return error;
}
