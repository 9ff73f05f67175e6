/*===- locks.h - locks on the pool file that live as long as a mapping ------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Locks of the open file (F_OFD_SETLK) on bytes far beyond the end, apart from
 * the flock() that libpmemobj takes. A lock is represented by one mapped page:
 * it needs no descriptor, so a program that closes all its descriptors keeps it.
 */
#ifndef NVMOVE_SRC_LOCKS_H
#define NVMOVE_SRC_LOCKS_H

#include <stdbool.h>
#include <sys/types.h>

enum nvmi_lock {
    NVMI_LOCK_OWNER,    /* exclusive */
    NVMI_LOCK_SNAPSHOT, /* shared by children */
    NVMI_LOCK_PMEMOBJ   /* the one that libpmemobj takes of the whole file */
};

/* The mapped page, or NULL with errno (EAGAIN: held by another; ESTALE: the path
 * leads to another file by now). */
void *nvmi_lock_take(const char *path, dev_t device, ino_t inode, enum nvmi_lock which);
void nvmi_lock_release(void *lock);
/* The owner's lock of a file that is being made, until it is closed. 0, EAGAIN or another
 * errno. */
int nvmi_lock_file(int fd);

/* Not of libpmemobj's. Is it held by anyone, oneself not included? Uses `fd` if that still is the
 * file. When it cannot be found out: true. */
bool nvmi_lock_is_held(int fd, const char *path, dev_t device, ino_t inode, enum nvmi_lock which);

#endif /* NVMOVE_SRC_LOCKS_H */
