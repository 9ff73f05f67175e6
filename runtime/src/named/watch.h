/*===- watch.h - which pages of large roots were written --------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * A commit finds out what has changed in the roots by comparing them with the pool.
 * Of a large one it compares only the pages that were written since the commit before:
 * the kernel knows them (userfaultfd's asynchronous write protection, Linux 6.7). It
 * sees stores of all threads, and what system calls write. Where there is no such
 * kernel, or a program has closed the descriptors, all of the root is compared.
 */
#ifndef NVMOVE_SRC_NAMED_WATCH_H
#define NVMOVE_SRC_NAMED_WATCH_H

#include <stddef.h>

/* Part of a root: bytes [from, end) of it. */
struct nvmi_part {
    size_t from, end;
};
#define NVMI_MAX_PARTS 16u

enum nvmi_watch_state { NVMI_WATCH_NOT_YET, NVMI_WATCHED, NVMI_WATCH_NEVER };
/* What is known of a root. All zero: it is not watched yet. */
struct nvmi_watch {
    enum nvmi_watch_state state;
    unsigned skip;  /* so many commits compare all of it */
    unsigned pause; /* how many did so last */
};

/* The parts of [place, place + size_bytes) that may have been written since the call
 * before, in ascending order, or all of it. Gives back their number. Under the heap lock. */
unsigned nvmi_watch_ask(struct nvmi_watch *watch, const void *place, size_t size_bytes,
                        struct nvmi_part part[NVMI_MAX_PARTS]);

#endif /* NVMOVE_SRC_NAMED_WATCH_H */
