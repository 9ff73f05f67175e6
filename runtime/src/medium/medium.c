/*===- medium.c - what a pool lies on ---------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "medium/medium.h"
#include "base/error.h"
#include "base/pool.h"
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#ifndef MAP_SHARED_VALIDATE
#define MAP_SHARED_VALIDATE 0x03
#endif
#ifndef MAP_SYNC
#define MAP_SYNC 0x080000
#endif

void nvmi_medium_name(int fd, char *name, unsigned name_bytes)
{
    static const struct {
        unsigned magic;
        const char *name;
    } known[] = {{0xef53, "ext4"},          {0x01021994, "tmpfs"},   {0x58465342, "xfs"},
                 {0x9123683e, "btrfs"},     {0x794c7630, "overlay"}, {0x6969, "nfs"},
                 {0xf2f52010, "f2fs"},      {0x2fc12fc1, "zfs"},     {0x65735546, "fuse"},
                 {0x958458f6, "hugetlbfs"}, {0x01021997, "9p"},      {0x858458f6, "ramfs"}};
    struct statfs fs;
    if (fstatfs(fd, &fs) != 0) {
        snprintf(name, name_bytes, "unknown");
        return;
    }
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (known[i].magic == (unsigned)fs.f_type) {
            snprintf(name, name_bytes, "%s", known[i].name);
            return;
        }
    snprintf(name, name_bytes, "0x%x", (unsigned)fs.f_type);
}

bool nvmi_medium_is_volatile(int fd)
{
    struct statfs fs;
    if (fstatfs(fd, &fs) != 0)
        return false;
    unsigned magic = (unsigned)fs.f_type;
    return magic == 0x01021994 || magic == 0x858458f6 || magic == 0x958458f6;
}

bool nvmi_medium_is_dax(int fd)
{
#if defined(__x86_64__)
    void *p = mmap(NULL, 4096, PROT_READ, MAP_SHARED_VALIDATE | MAP_SYNC, fd, 0);
    if (p == MAP_FAILED)
        return false;
    munmap(p, 4096);
    return true;
#else
    (void)fd; /* persist.c has no write-back for other processors */
    return false;
#endif
}

int nvmi_sync_path(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int error = fd < 0 || fsync(fd) != 0 ? errno : 0;
    if (fd >= 0)
        close(fd);
    return error;
}

void nvmi_directory_of(const char *path, char *directory, unsigned directory_bytes)
{
    const char *slash = strrchr(path, '/');
    snprintf(directory, directory_bytes, "%.*s", slash > path ? (int)(slash - path) : 1, path);
}

void nvmi_human_bytes(uint64_t size_bytes, char *text, unsigned text_bytes)
{
    static const char *const unit[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double x = (double)size_bytes;
    unsigned i = 0;
    while (x >= 1024 && i < 4) {
        x /= 1024;
        i++;
    }
    snprintf(text, text_bytes, "%.1f %s", x, unit[i]);
}

void nvmi_pool_size(const struct nvmi_pool *pool, char *text, unsigned text_bytes)
{
    const struct nvm_disk_header *h = &pool->header;
    char now[32], most[32];
    struct stat file;
    nvmi_human_bytes(h->pool_size_bytes, most, sizeof(most));
    if (h->initial_size_bytes == h->pool_size_bytes || fstat(pool->fd, &file) != 0) {
        snprintf(text, text_bytes, "%s", most);
        return;
    }
    nvmi_human_bytes((uint64_t)file.st_blocks * 512, now, sizeof(now));
    snprintf(text, text_bytes, "%s of %s", now, most);
}
