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

/* All are under the heap lock. */
void *nvmi_large_alloc(unsigned type, size_t size_bytes, bool zero);
size_t nvmi_large_bytes(const struct nvm_disk_page *entry); /* of the block that begins there */
size_t nvmi_large_up(size_t size_bytes); /* as much as can be used of a block that was asked for */
bool nvmi_large_resize(uint32_t page, size_t size_bytes);
void nvmi_large_release(uint32_t page);

#endif /* NVMOVE_SRC_HEAP_LARGE_H */
