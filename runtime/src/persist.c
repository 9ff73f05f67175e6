/*===- persist.c - the persistence primitives -------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "persist.h"
#include "crc32c.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    int fd;
    dev_t device;
    ino_t inode;
    void *mapping;
    size_t size_bytes;
} file = {.fd = -1};

#if defined(__x86_64__)
#include <emmintrin.h>

static void stream_copy(void *dst, const void *src, size_t size_bytes)
{
    __m128i *to = dst;
    const __m128i *from = src;
    for (size_t n = size_bytes / sizeof(*to); n; n--)
        _mm_stream_si128(to++, _mm_loadu_si128(from++));
}

static void stream_zero(void *dst, size_t size_bytes)
{
    __m128i *to = dst;
    for (size_t n = size_bytes / sizeof(*to); n; n--)
        _mm_stream_si128(to++, _mm_setzero_si128());
}

static void store_fence(void)
{
    _mm_sfence();
}
#else
/* Right for a page cache. Other processors with persistent memory need their
 * own cache line write-back here; open.c refuses to promise it meanwhile. */
static void stream_copy(void *dst, const void *src, size_t size_bytes)
{
    memcpy(dst, src, size_bytes);
}

static void stream_zero(void *dst, size_t size_bytes)
{
    memset(dst, 0, size_bytes);
}

static void store_fence(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
#endif

static int no_sync(void)
{
    return 0;
}

static int disk_sync(void)
{
    struct stat now;
    int is_ours =
        fstat(file.fd, &now) == 0 && now.st_dev == file.device && now.st_ino == file.inode;
    int result;
    do
        result = is_ours ? fdatasync(file.fd) : msync(file.mapping, file.size_bytes, MS_SYNC);
    while (result && errno == EINTR);
    return result ? errno : 0;
}

void nvmi_persist_file(int fd, void *mapping, size_t size_bytes)
{
    struct stat now;
    file.fd = fd;
    file.mapping = mapping;
    file.size_bytes = size_bytes;
    if (fd >= 0 && fstat(fd, &now) == 0) {
        file.device = now.st_dev;
        file.inode = now.st_ino;
    }
}

const struct nvmi_persist nvmi_persist_memory = {stream_copy, nvmi_crc32c_gather, stream_zero,
                                                 store_fence, no_sync};
const struct nvmi_persist nvmi_persist_disk = {stream_copy, nvmi_crc32c_gather, stream_zero,
                                               store_fence, disk_sync};
const struct nvmi_persist *nvmi_persist = &nvmi_persist_memory;
