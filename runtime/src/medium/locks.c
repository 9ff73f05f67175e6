/*===- locks.c - locks on the pool file that live as long as a mapping ------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "medium/locks.h"
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE_BYTES 4096u
#define FIRST_BYTE ((off_t)1 << 61)

static struct flock region(enum nvmi_lock which, short type)
{
    return (struct flock){
        .l_type = type, .l_whence = SEEK_SET, .l_start = FIRST_BYTE + which, .l_len = 1};
}

static bool is_file(int fd, dev_t device, ino_t inode)
{
    struct stat file;
    return fd >= 0 && fstat(fd, &file) == 0 && file.st_dev == device && file.st_ino == inode;
}

void *nvmi_lock_take(const char *path, dev_t device, ino_t inode, enum nvmi_lock which)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    struct flock lock = region(which, which == NVMI_LOCK_OWNER ? F_WRLCK : F_RDLCK);
    void *page = NULL;
    if (!is_file(fd, device, inode))
        errno = ESTALE;
    else if ((which == NVMI_LOCK_PMEMOBJ ? flock(fd, LOCK_EX | LOCK_NB)
                                         : fcntl(fd, F_OFD_SETLK, &lock)) == 0) {
        page = mmap(NULL, PAGE_BYTES, PROT_READ, MAP_SHARED, fd, 0);
        if (page == MAP_FAILED)
            page = NULL;
    }
    int error = errno;
    close(fd);
    errno = error == EACCES ? EAGAIN : error;
    return page;
}

int nvmi_lock_file(int fd)
{
    struct flock lock = region(NVMI_LOCK_OWNER, F_WRLCK);
    if (fcntl(fd, F_OFD_SETLK, &lock) == 0)
        return 0;
    return errno == EACCES ? EAGAIN : errno;
}

void nvmi_lock_release(void *lock)
{
    if (lock)
        munmap(lock, PAGE_BYTES);
}

bool nvmi_lock_is_held(int fd, const char *path, dev_t device, ino_t inode, enum nvmi_lock which)
{
    int own = -1;
    if (!is_file(fd, device, inode)) {
        own = fd = open(path, O_RDWR | O_CLOEXEC);
        if (!is_file(fd, device, inode)) {
            close(own);
            return true;
        }
    }
    struct flock lock = region(which, F_WRLCK);
    bool held = fcntl(fd, F_OFD_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
    if (own >= 0)
        close(own);
    return held;
}
