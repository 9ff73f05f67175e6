/*===- persist.c - the persistence primitives -------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "medium/persist.h"
#include "base/crc32c.h"
#include "base/memory.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINE_BYTES 64u

static struct {
    int fd;
    dev_t device;
    ino_t inode;
    void *mapping;
    size_t size_bytes;
} file = {.fd = -1};

static void plain_copy(void *dst, const void *src, size_t size_bytes)
{
    memcpy(dst, src, size_bytes);
}

static void plain_scatter(unsigned char *base, const uint32_t *number, const void *src,
                          size_t count)
{
    const unsigned char *from = src;
    for (size_t i = 0; i < count; i++, from += LINE_BYTES) {
        if (i + 4 < count)
            __builtin_prefetch(base + (size_t)number[i + 4] * LINE_BYTES, 1);
        memcpy(base + (size_t)number[i] * LINE_BYTES, from, LINE_BYTES);
    }
}

static void plain_zero(void *dst, size_t size_bytes)
{
    memset(dst, 0, size_bytes);
}

static void no_fence(void)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static void no_flush(const void *p, size_t size_bytes)
{
    (void)p;
    (void)size_bytes;
}

static int no_sync(const void *p, size_t size_bytes)
{
    (void)p;
    (void)size_bytes;
    return 0;
}

static int sync_file(void)
{
    struct stat now;
    int is_ours =
        fstat(file.fd, &now) == 0 && now.st_dev == file.device && now.st_ino == file.inode;
    return is_ours ? fdatasync(file.fd) : msync(file.mapping, file.size_bytes, MS_SYNC);
}

/* Of a file system on a disk, the kernel writes the pages of the part alone. */
static int sync_part(const void *p, size_t size_bytes)
{
    uintptr_t first = (uintptr_t)p / NVMI_MACHINE_PAGE_BYTES * NVMI_MACHINE_PAGE_BYTES;
    return msync((void *)first, (uintptr_t)p + size_bytes - first, MS_SYNC);
}

static int disk_sync(const void *p, size_t size_bytes)
{
    int result;
    do
        result = p ? sync_part(p, size_bytes) : sync_file();
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

const struct nvmi_persist nvmi_persist_cache = {
    plain_copy, nvmi_crc32c_gather, plain_scatter, plain_zero, no_fence, no_sync, no_flush};
const struct nvmi_persist nvmi_persist_disk = {
    plain_copy, nvmi_crc32c_gather, plain_scatter, plain_zero, no_fence, disk_sync, no_flush};
const struct nvmi_persist *nvmi_persist = &nvmi_persist_cache;

#if defined(__x86_64__)
#include <cpuid.h>
#include <emmintrin.h>

static void stream_copy(void *dst, const void *src, size_t size_bytes)
{
    __m128i *to = dst;
    const __m128i *from = src;
    for (size_t n = size_bytes / sizeof(*to); n; n--)
        _mm_stream_si128(to++, _mm_loadu_si128(from++));
}

static void stream_scatter(unsigned char *base, const uint32_t *number, const void *src,
                           size_t count)
{
    const unsigned char *from = src;
    for (size_t i = 0; i < count; i++, from += LINE_BYTES)
        stream_copy(base + (size_t)number[i] * LINE_BYTES, from, LINE_BYTES);
}

static void stream_zero(void *dst, size_t size_bytes)
{
    __m128i *to = dst;
    for (size_t n = size_bytes / sizeof(*to); n; n--)
        _mm_stream_si128(to++, _mm_setzero_si128());
}

/* By way of a buffer that stays in the cache: the CRC is of the copies. */
static uint32_t stream_gather(uint32_t crc, void *dst, const unsigned char *base,
                              const uint32_t *number, size_t count)
{
    enum { AT_ONCE = 8 };
    unsigned char lines[AT_ONCE * LINE_BYTES] __attribute__((aligned(64)));
    unsigned char *to = dst;
    for (size_t n; count; count -= n, number += n, to += n * LINE_BYTES) {
        n = count < AT_ONCE ? count : AT_ONCE;
        crc = nvmi_crc32c_gather(crc, lines, base, number, n);
        stream_copy(to, lines, n * LINE_BYTES);
    }
    return crc;
}

/* What the processor has to write a line back without dropping it, at best. */
enum write_back { WRITE_BACK_UNKNOWN, CLFLUSH, CLFLUSHOPT, CLWB };

static enum write_back best_write_back(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return CLFLUSH;
    return b & bit_CLWB ? CLWB : b & bit_CLFLUSHOPT ? CLFLUSHOPT : CLFLUSH;
}

static void write_back(const void *p, size_t size_bytes)
{
    static enum write_back how;
    if (how == WRITE_BACK_UNKNOWN)
        how = best_write_back();
    const char *line = (const char *)((uintptr_t)p / LINE_BYTES * LINE_BYTES);
    for (const char *end = (const char *)p + size_bytes; line < end; line += LINE_BYTES) {
        volatile char *at = (volatile char *)(uintptr_t)line;
        if (how == CLWB)
            __asm__ volatile("clwb %0" : "+m"(*at));
        else if (how == CLFLUSHOPT)
            __asm__ volatile("clflushopt %0" : "+m"(*at));
        else
            __asm__ volatile("clflush %0" : "+m"(*at));
    }
}

static void store_fence(void)
{
    _mm_sfence();
}

const struct nvmi_persist nvmi_persist_dax = {
    stream_copy, stream_gather, stream_scatter, stream_zero, store_fence, no_sync, write_back};
#else
/* medium.c takes nothing for DAX here: other processors need their own write-back. */
const struct nvmi_persist nvmi_persist_dax = {
    plain_copy, nvmi_crc32c_gather, plain_scatter, plain_zero, no_fence, no_sync, no_flush};
#endif
