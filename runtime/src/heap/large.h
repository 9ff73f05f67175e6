/*===- large.h - blocks of whole pages --------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_HEAP_LARGE_H
#define NVMOVE_SRC_HEAP_LARGE_H

#include "base/layout.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All of these are called under the heap lock. NULL: there are not so many pages in a row. */
void *nvmi_large_alloc(unsigned type, size_t size_bytes, bool zero);
/* Bytes of the block whose first page has this entry. */
size_t nvmi_large_bytes(const struct nvm_disk_page *entry);
/* Bytes that can be used of a block for which so many were asked. */
size_t nvmi_large_up(size_t size_bytes);
/* Resizes the block in place to so many bytes; false: that is impossible. */
bool nvmi_large_resize(uint32_t page, size_t size_bytes);
void nvmi_large_release(uint32_t page);

#endif /* NVMOVE_SRC_HEAP_LARGE_H */
