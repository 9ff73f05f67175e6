/*===- huge.h - pages of 2 MiB behind the pool ------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * What a line costs that is not in the cache depends on where the machine's
 * pages lie: scattered ones of 4 KiB have twice the walk of page tables, in a
 * virtual machine most of all. New pools have their arena, and the pages in it,
 * at a multiple of 2 MiB both in the file and in memory, so that DAX and file
 * systems in memory can map them as such. A file system on a disk is left as it
 * is: it would write 2 MiB for each line that changes (docs/decisions/0085, 0091).
 */
#ifndef NVMOVE_SRC_HUGE_H
#define NVMOVE_SRC_HUGE_H

#include "base/pool.h"

#define NVMI_HUGE_BYTES (2ull << 20)

/* For a file system in memory: asks the kernel to have such pages where they
 * begin in a range of the file that has no blocks yet, and is not to get them
 * one by one. What cannot be had is no error. */
void nvmi_have_huge(const struct nvmi_pool *pool, int fd, uint64_t file_offset,
                    uint64_t size_bytes);
/* The same for memory of this process alone. */
void nvmi_have_huge_memory(void *p, uint64_t size_bytes);

/* What the pages in use lie on, of some of them: "2 MiB pages", "4 KiB pages",
 * "2 MiB pages in part"; NULL: on a disk, or none of 2 MiB is full. Reads a byte
 * of each. */
const char *nvmi_page_size_of(const struct nvmi_pool *pool);

#endif /* NVMOVE_SRC_HUGE_H */
