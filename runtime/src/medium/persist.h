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
    /* Copies the lines `number[i]` of `base` one after the other to dst and gives
     * back nvmi_crc32c_lines(crc, copies). */
    uint32_t (*gather)(uint32_t crc, void *dst, const unsigned char *base, const uint32_t *number,
                       size_t count);
    /* Copies `count` lines that lie one after the other at src to the lines
     * `number[i]` of `base`. */
    void (*scatter)(unsigned char *base, const uint32_t *number, const void *src, size_t count);
    void (*zero)(void *dst, size_t size_bytes);
    void (*fence)(void);
    /* Waits until everything fenced so far in these bytes is on the medium; NULL: in the whole
     * file. 0 or an errno. */
    int (*sync)(const void *p, size_t size_bytes);
    /* The lines that these bytes lie in were written in place: they reach the
     * domain at the next fence, as if by copy(). */
    void (*flush)(const void *p, size_t size_bytes);
};

/* The one in use. Never NULL. */
extern const struct nvmi_persist *nvmi_persist;

/* A page cache that has only to outlive the process: plain stores, the fence and
 * sync() do nothing. */
extern const struct nvmi_persist nvmi_persist_cache;
/* The same against loss of power: sync() is fdatasync() of the pool file, or msync() of a part of
 * it. */
extern const struct nvmi_persist nvmi_persist_disk;
/* DAX against loss of power: stores past the processor's cache and a store fence;
 * sync() does nothing. */
extern const struct nvmi_persist nvmi_persist_dax;
/* The file that nvmi_persist_disk waits for, and a mapping of it to fall back on
 * when the program has closed the descriptor under us. */
void nvmi_persist_file(int fd, void *mapping, size_t size_bytes);

#endif /* NVMOVE_SRC_PERSIST_H */
