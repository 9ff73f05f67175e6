/*===- directory.h - the page directory -------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_HEAP_DIRECTORY_H
#define NVMOVE_SRC_HEAP_DIRECTORY_H

#include "base/pool.h"

/* Under the heap lock: runs of pages. First page, or NVMI_NO_PAGE. Pages from
 * *virgin_from on hold zero bytes. */
uint32_t nvmi_pages_take(uint32_t count, uint32_t *virgin_from);
void nvmi_pages_release(uint32_t first, uint32_t count);
bool nvmi_pages_extend(uint32_t first, uint32_t count, uint32_t more, uint32_t *virgin_from);
void nvmi_page_set(uint32_t page, struct nvm_disk_page value);
uint32_t nvmi_page_crc(const struct nvm_disk_page *page, uint32_t number);
/* Is its checksum that? Neighbours are often alike: `last`, which begins as zeros, keeps what
 * the one that was looked at before has taken to compute. */
struct nvmi_looked_at {
    struct nvm_disk_page page;
    uint32_t crc;
};
bool nvmi_page_fits(const struct nvm_disk_page *page, uint32_t number, struct nvmi_looked_at *last);

/* Does the line lie in a page that was free at the last commit? Then no commit
 * depends on what the home copy holds there. */
bool nvmi_line_is_new(uint32_t line);
/* The first page of all that is virgin in the home copy, too. */
uint32_t nvmi_virgin_page(void);

/* Half of the entry is there: a loss of power may have left it of a page that no commit uses. */
bool nvmi_page_is_torn(const struct nvm_disk_page *entry);
/* May there be such entries in the pool that is being opened? See open/torn.c. */
bool nvmi_may_be_torn(const struct nvmi_pool *pool);

#endif /* NVMOVE_SRC_HEAP_DIRECTORY_H */
