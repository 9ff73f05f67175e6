/*===- persist.h - the persistence primitives -------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Everything that an engine writes to the medium goes through this table, so
 * that a test can put in its place one that keeps an image of what a power cut
 * would leave. Destinations are 64-byte aligned, sizes multiples of 64.
 *
 * Written bytes reach the persistence domain at the next fence() (medium with
 * flush on fail, or page cache: a crash of the process) or at the next sync()
 * (disk: loss of power). Until then any subset of the lines may have arrived.
 */
#ifndef NVMOVE_SRC_PERSIST_H
#define NVMOVE_SRC_PERSIST_H

#include <stddef.h>
#include <stdint.h>

struct nvmi_persist {
    void (*copy)(void *dst, const void *src, size_t size_bytes);
    /* Copies the lines `number[i]` of `base` consecutively to dst and returns
     * nvmi_crc32c_lines(crc, dst, count). */
    uint32_t (*gather)(uint32_t crc, void *dst, const unsigned char *base, const uint32_t *number,
                       size_t count);
    /* Copies `count` consecutive lines at src to the lines `number[i]` of `base`. */
    void (*scatter)(unsigned char *base, const uint32_t *number, const void *src, size_t count);
    void (*zero)(void *dst, size_t size_bytes);
    void (*fence)(void);
    /* Waits until everything fenced so far in these bytes is on the medium; NULL: in the whole
     * file. 0 or an errno. */
    int (*sync)(const void *p, size_t size_bytes);
    /* The lines of these bytes were written in place: they reach the persistence domain at the
     * next fence, like those of copy(). */
    void (*flush)(const void *p, size_t size_bytes);
};

/* The one in use. Never NULL. */
extern const struct nvmi_persist *nvmi_persist;

/* The page cache, for durability against a crash of the process: plain stores; fence and
 * sync() do nothing. */
extern const struct nvmi_persist nvmi_persist_cache;
/* The page cache, for durability against loss of power: plain stores; sync() is fdatasync() of the
 * pool file, or msync() of a part of it. */
extern const struct nvmi_persist nvmi_persist_disk;
/* DAX, for durability against loss of power: non-temporal stores and a store fence; sync() does
 * nothing. */
extern const struct nvmi_persist nvmi_persist_dax;
/* Sets the file that nvmi_persist_disk syncs, and a mapping of it that is synced instead if the
 * program has closed the descriptor. */
void nvmi_persist_file(int fd, void *mapping, size_t size_bytes);

#endif /* NVMOVE_SRC_PERSIST_H */
