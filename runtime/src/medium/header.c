/*===- header.c - what a pool file says about itself ------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "medium/header.h"
#include "base/crc32c.h"
#include "base/error.h"
#include "medium/log.h"
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* libpmemobj's pool header (4 KiB) and pool descriptor (2 KiB), on-media format
 * 6, which has not changed since 2018. Only these fields are relied upon. */
#define PMEM_MAJOR 6u
#define PMEM_HEADER_BYTES 4096u
#define PMEM_HEADER_CHECKED_BYTES 2048u
#define PMEM_HEADER_CHECKSUM 4088u
#define PMEM_DESCRIPTOR_BYTES 2048u
#define PMEM_DESCRIPTOR_CHECKSUM 2040u
#define PMEM_ROOT_OFFSET 6144u /* in the file: offset, run id, size */
#define PMEM_BYTES 6168u

static uint64_t word_at(const unsigned char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof(word));
    return word;
}

/* libpmemobj's checksum of `size_bytes` at `data`, the 8 bytes at `field` and
 * those from `skip` on taken as zero. */
static uint64_t fletcher64(const unsigned char *data, uint64_t size_bytes, uint64_t field,
                           uint64_t skip)
{
    uint32_t low = 0, high = 0;
    for (uint64_t at = 0; at < size_bytes; at += 4) {
        uint32_t word;
        memcpy(&word, data + at, sizeof(word));
        if (at - field < 8 || (skip && at >= skip))
            word = 0;
        low += word;
        high += low;
    }
    return (uint64_t)high << 32 | low;
}

static int damaged(const char *path, const char *field)
{
    return nvmi_fail(EINVAL, "pool-damaged", "%s: %s is damaged", path, field);
}

/* Where libpmemobj keeps our root object. */
static int check_pmemobj(const unsigned char *p, const char *path, uint64_t *root_offset,
                         uint64_t *root_bytes)
{
    uint32_t major;
    memcpy(&major, p + 8, sizeof(major));
    if (memcmp(p, "PMEMOBJ", 8) != 0)
        return nvmi_fail(EINVAL, "pool-foreign", "%s is not a pool", path);
    if (major != PMEM_MAJOR)
        return nvmi_fail(EINVAL, "pool-version", "%s has libpmemobj format %u, not %u", path, major,
                         PMEM_MAJOR);
    if (fletcher64(p, PMEM_HEADER_BYTES, PMEM_HEADER_CHECKSUM, PMEM_HEADER_CHECKED_BYTES) !=
        word_at(p + PMEM_HEADER_CHECKSUM))
        return damaged(path, "libpmemobj's header");
    const unsigned char *d = p + PMEM_HEADER_BYTES;
    if (fletcher64(d, PMEM_DESCRIPTOR_BYTES, PMEM_DESCRIPTOR_CHECKSUM, 0) !=
        word_at(d + PMEM_DESCRIPTOR_CHECKSUM))
        return damaged(path, "libpmemobj's descriptor");
    if (strncmp((const char *)d, NVM_DISK_LAYOUT_NAME, sizeof(NVM_DISK_LAYOUT_NAME)) != 0)
        return nvmi_fail(EINVAL, "pool-foreign", "%s is the pool of another program (layout %.40s)",
                         path, (const char *)d);
    *root_offset = word_at(p + PMEM_ROOT_OFFSET);
    *root_bytes = word_at(p + PMEM_ROOT_OFFSET + 16);
    return 0;
}

/* Do the parts lie one after the other, inside of what holds them? */
static bool parts_fit(const struct nvm_disk_header *h)
{
    const uint64_t page = NVM_PAGE_BYTES, machine_page = 4096;
    /* No sum below can overflow. */
    const uint64_t all[] = {h->log_offset,       h->log_size_bytes,  h->arena_offset,
                            h->arena_size_bytes, h->bitmap_offset,   h->table_offset,
                            h->table_size_bytes, h->twin_size_bytes, h->page_offset,
                            h->pool_size_bytes,  h->heap_address};
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        if (all[i] >> 48 || all[i] % 64)
            return false;
    return h->page_count > 0 && h->page_count < UINT32_MAX / (NVM_PAGE_BYTES / NVM_LINE_BYTES) &&
           h->log_offset % page == 0 && h->arena_offset % page == 0 &&
           h->arena_size_bytes % page == 0 && h->heap_address % page == 0 &&
           h->page_offset % page == 0 && h->bitmap_offset % machine_page == 0 &&
           h->table_offset % machine_page == 0 && h->log_size_bytes >= page &&
           h->arena_offset >= h->log_offset + h->log_size_bytes &&
           h->pool_size_bytes >= h->arena_offset + h->arena_size_bytes &&
           h->directory_offset == machine_page &&
           h->bitmap_offset >= h->directory_offset + h->page_count * sizeof(struct nvm_disk_page) &&
           h->table_offset >= h->bitmap_offset + h->page_count * NVM_BITMAP_BYTES &&
           h->twin_offset == h->table_offset + h->table_size_bytes &&
           h->page_offset >= h->twin_offset + h->twin_size_bytes &&
           h->arena_size_bytes >= h->page_offset + h->page_count * page;
}

int nvmi_header_check(const struct nvm_disk_header *h, const char *path, uint64_t file_bytes)
{
    if (h->magic != NVM_DISK_MAGIC)
        return damaged(path, "the header's magic number");
    if (h->version != NVM_DISK_VERSION)
        return nvmi_fail(EINVAL, "pool-version", "%s has version %u; this program has version %u",
                         path, h->version, NVM_DISK_VERSION);
    if (h->crc != nvmi_crc32c(0, h, offsetof(struct nvm_disk_header, crc)))
        return damaged(path, "the header (checksum)");
    if (h->pool_size_bytes != file_bytes)
        return nvmi_fail(EINVAL, "pool-damaged",
                         "%s: the file's size is damaged: %llu bytes instead of %llu", path,
                         (unsigned long long)file_bytes, (unsigned long long)h->pool_size_bytes);
    if (!parts_fit(h))
        return damaged(path, "the header (its parts are inconsistent)");
    return 0;
}

static int read_all(int fd, void *buffer, size_t size_bytes, uint64_t offset)
{
    return pread(fd, buffer, size_bytes, (off_t)offset) == (ssize_t)size_bytes ? 0 : -1;
}

int nvmi_peek(int fd, const char *path, struct nvmi_peek *peek)
{
    struct stat file;
    if (fstat(fd, &file) != 0)
        return nvmi_fail(errno, "pool-missing", "%s: %s", path, strerror(errno));
    if (!S_ISREG(file.st_mode))
        return nvmi_fail(EINVAL, "pool-foreign", "%s is not a regular file", path);
    unsigned char start[PMEM_BYTES];
    uint64_t file_bytes = (uint64_t)file.st_size, root_offset = 0, root_bytes = 0;
    if (file_bytes < sizeof(start) || read_all(fd, start, sizeof(start), 0) != 0)
        return nvmi_fail(EINVAL, "pool-foreign", "%s is not a pool", path);
    int error = check_pmemobj(start, path, &root_offset, &root_bytes);
    if (error)
        return error;
    uint64_t offset = nvmi_line_up(root_offset);
    if (root_bytes != NVM_ROOT_BYTES || root_offset < sizeof(start) || root_offset >> 48)
        return damaged(path, "libpmemobj's root offset");
    if (root_offset + root_bytes > file_bytes)
        return damaged(path, "the file's size");
    unsigned char slots[NVM_MARKS_OFFSET + sizeof(struct nvm_disk_marks)];
    struct nvm_disk_marks marks;
    peek->control_offset = offset + NVM_CONTROL_OFFSET;
    if (read_all(fd, &peek->header, sizeof(peek->header), offset) != 0 ||
        read_all(fd, slots, sizeof(slots), peek->control_offset) != 0)
        return nvmi_fail(EIO, "pool-damaged", "%s: the header cannot be read", path);
    error = nvmi_header_check(&peek->header, path, file_bytes);
    if (error)
        return error;
    int choice = nvmi_control_choose(slots, &peek->control);
    memcpy(&marks, slots + NVM_MARKS_OFFSET, sizeof(marks));
    if (choice < 0 || peek->control.sequence < marks.sequence)
        return damaged(path, "the control record");
    peek->slot_damaged = choice == 0;
    return 0;
}
