/*===- relocate.h - a pool at another address -------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * A copy of the file beside it is opened at the new address, its pointers are
 * changed by ordinary commits, and it takes the old one's name: rename(2) is the
 * one instant at which the pool moves. A crash before leaves the pool as it was,
 * and a file *.nvmove-moved that the next attempt replaces.
 */
#ifndef NVMOVE_SRC_RELOCATE_H
#define NVMOVE_SRC_RELOCATE_H

#include "reachability/pointers.h"

#define NVMI_MOVED_SUFFIX ".nvmove-moved"

struct nvmi_relocation {
    uint64_t from, to; /* addresses of the heap; `to` 0: chosen */
    const struct nvmi_promise *promise;
    size_t promise_count;
    uint64_t pointers; /* changed */
};

/* No pool may be open in this process. 0, or an errno with its message: EBUSY it is
 * in use; EINVAL no such address, or no commit; EFAULT [pointers-unknown] some words
 * may be pointers, the message names their fields; ENOSPC; ENOMEM the new address is
 * taken, too. */
int nvmi_relocate(const char *path, struct nvmi_relocation *relocation);

#endif /* NVMOVE_SRC_RELOCATE_H */
