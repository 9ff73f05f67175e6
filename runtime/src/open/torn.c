/*===- torn.c - pages that no commit knows ----------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Where what an engine saves counts for one thread (tx), another one that takes pages
 * outside sections is in nobody's transaction: a loss of power may leave the halves of
 * an entry of the directory, the head of a run without its tails, bits of a page that is
 * free, or a type's number that the table does not have. No section has put anything into
 * such pages, so they are free. The transitions are few, since outside sections pages are
 * only taken (nvmi_is_covered()): from an entry that is all zero.
 */
#include "open/torn.h"
#include "heap/directory.h"
#include "heap/state.h"
#include "named/table.h"

static bool has_run(uint32_t page)
{
    const struct nvm_disk_page *e = &nvmi_heap.directory[page];
    for (uint32_t i = 1; i < e->run; i++)
        if (e[i].state != NVM_PAGE_TAIL || e[i].run != i || nvmi_page_is_torn(&e[i]))
            return false;
    return true;
}

/* In ascending order, so that the head of a tail has been looked at. */
static bool belongs(uint32_t page, unsigned types)
{
    const struct nvm_disk_page *e = &nvmi_heap.directory[page];
    const struct nvm_disk_page *head = e - (e->state == NVM_PAGE_TAIL ? e->run : 0);
    if (nvmi_page_is_torn(e) || e->type > types)
        return false;
    if (e->state == NVM_PAGE_TAIL)
        return head->state == NVM_PAGE_LARGE && head->run > e->run;
    return e->state != NVM_PAGE_LARGE || has_run(page);
}

static void clear_bitmap(uint32_t page)
{
    uint64_t *bits = (uint64_t *)(void *)(nvmi_heap.bitmaps + (size_t)page * NVM_BITMAP_BYTES);
    for (size_t i = 0; i < NVM_BITMAP_BYTES / sizeof(*bits); i++)
        if (bits[i])
            NVM(bits[i]) = 0;
}

void nvmi_torn_mend(struct nvmi_pool *pool)
{
    unsigned types = 0;
    if (!nvmi_may_be_torn(pool))
        return;
    for (struct nvm_disk_entry *e = nvmi_entry_first(); e; e = nvmi_entry_next(e))
        types += e->kind == NVM_ENTRY_TYPE;
    for (uint32_t page = 0; page < pool->backed_pages; page++) {
        const struct nvm_disk_page *e = &nvmi_heap.directory[page];
        if (!belongs(page, types)) {
            nvmi_heap.used_pages -= e->state != NVM_PAGE_FREE;
            nvmi_page_set(page, (struct nvm_disk_page){.state = NVM_PAGE_FREE});
        }
        if (e->state == NVM_PAGE_FREE && page < nvmi_virgin_page())
            clear_bitmap(page);
    }
}
