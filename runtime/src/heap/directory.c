/*===- directory.c - the page directory -------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "heap/directory.h"
#include "base/crc32c.h"
#include "base/engine.h"
#include "base/error.h"
#include "heap/headroom.h"
#include "heap/state.h"
#include "hook/logged_words.h"
#include "medium/backing.h"
#include "medium/control.h"
#include <stddef.h>
#include <string.h>

static bool is_all_zero(const struct nvm_disk_page *page)
{
    return page->state == NVM_PAGE_FREE && !page->size_class && !page->type && !page->run &&
           !page->slack;
}

/* Of the fields alone. */
static uint32_t fields_crc(const struct nvm_disk_page *page)
{
    struct nvm_disk_page covered = *page;
    covered.crc = 0;
    return nvmi_crc32c(0, &covered, sizeof(covered));
}

static uint32_t crc_at(uint32_t fields, uint64_t number)
{
    return nvmi_crc32c(fields, &number, sizeof(number));
}

uint32_t nvmi_page_crc(const struct nvm_disk_page *page, uint32_t number)
{
    return is_all_zero(page) ? 0 : crc_at(fields_crc(page), number);
}

bool nvmi_page_fits(const struct nvm_disk_page *page, uint32_t number, struct nvmi_looked_at *last)
{
    if (is_all_zero(page))
        return page->crc == 0;
    if (memcmp(&last->page, page, offsetof(struct nvm_disk_page, crc)) != 0) {
        last->page = *page;
        last->crc = fields_crc(page);
    }
    return page->crc == crc_at(last->crc, number);
}

void nvmi_page_set(uint32_t page, struct nvm_disk_page value)
{
    struct nvm_disk_page *entry = &nvmi_heap.directory[page];
    value.crc = nvmi_page_crc(&value, page);
    nvm_store(entry, sizeof(*entry));
    *entry = value;
}

static bool run_is_free(uint32_t first, uint32_t count, uint32_t *blocker)
{
    for (uint32_t i = count; i-- > 0;)
        if (nvmi_heap.directory[first + i].state != NVM_PAGE_FREE) {
            *blocker = first + i;
            return false;
        }
    return true;
}

/* Next fit: pages taken one after the other lie one after the other. */
static uint32_t find_run(uint32_t from, uint32_t to, uint32_t end, uint32_t count)
{
    uint32_t blocker;
    for (uint32_t first = from; first < to && first < end && count <= end - first;
         first = blocker + 1)
        if (run_is_free(first, count, &blocker))
            return first;
    return NVMI_NO_PAGE;
}

uint32_t nvmi_virgin_page(void)
{
    uint64_t virgin = nvmi_heap_header()->virgin_page;
    return virgin > nvmi_heap.dirty_pages ? (uint32_t)virgin : nvmi_heap.dirty_pages;
}

bool nvmi_line_is_new(uint32_t line)
{
    uint64_t offset = (uint64_t)line * NVM_LINE_BYTES, pages = nvmi_pool.header.page_offset;
    return offset >= pages && nvmi_heap.info[(offset - pages) / NVM_PAGE_BYTES].taken;
}

/* Counts the pages as used; virgin pages among them stop being virgin. */
static void take(uint32_t first, uint32_t count, uint32_t *virgin_from)
{
    struct nvmi_heap *h = &nvmi_heap;
    struct nvm_disk_heap *header = nvmi_heap_header();
    uint32_t end = first + count, virgin = nvmi_virgin_page();
    h->used_pages += count;
    *virgin_from = virgin < first ? first : virgin < end ? virgin : end;
    nvmi_control_pages_taken(&nvmi_pool, end);
    if (header->virgin_page < end)
        nvmi_heap_change()->virgin_page = end;
    for (uint32_t page = first; page < end; page++) {
        nvmi_log_page_set(page, 0);
        if (!h->info[page].taken) {
            h->info[page].taken = 1;
            h->taken_pages[h->taken_count++] = page;
        }
    }
}

/* Where the pages end that may be taken now. */
static uint32_t end_of_pages(void)
{
    return nvmi_pool.start_up ? nvmi_pool.backed_pages : nvmi_heap.section_end;
}

static uint32_t find_pages(uint32_t count)
{
    struct nvmi_heap *h = &nvmi_heap;
    uint32_t end = end_of_pages(), first = find_run(h->rover, end, end, count);
    return first == NVMI_NO_PAGE ? find_run(0, h->rover, end, count) : first;
}

/* So much at once, if there is room. Most of it is there: see nvmi_back_ahead(). */
#define STEP_PAGES NVMI_BACKING_UNIT

/* Makes room for a run of `count` pages. */
static bool grow(uint32_t count)
{
    struct nvmi_pool *pool = &nvmi_pool;
    uint32_t have = pool->backed_pages, step = STEP_PAGES;
    if (have == nvmi_heap.page_count)
        return false;
    int error = nvmi_back_pages(pool, (uint64_t)have + (count > step ? count : step));
    if (error && count < step)
        error = nvmi_back_pages(pool, (uint64_t)have + count);
    if (error && !pool->growth_failed)
        nvmi_note("pool %s: cannot grow beyond %llu MiB of heap: %s; allocations will fail",
                  pool->path, (unsigned long long)have * NVM_PAGE_BYTES >> 20, strerror(error));
    pool->growth_failed = error != 0;
    if (!error)
        nvmi_headroom_grown();
    return !error;
}

uint32_t nvmi_pages_take(uint32_t count, uint32_t *virgin_from)
{
    struct nvmi_heap *h = &nvmi_heap;
    if (count > h->page_count - h->used_pages)
        return NVMI_NO_PAGE;
    uint32_t first = find_pages(count);
    if (first == NVMI_NO_PAGE && nvmi_headroom_look_again())
        first = find_pages(count);
    while (first == NVMI_NO_PAGE && grow(count))
        first = find_pages(count);
    if (first == NVMI_NO_PAGE)
        return first;
    take(first, count, virgin_from);
    if (nvmi_pool.backed_pages - h->used_pages < STEP_PAGES && !nvmi_pool.start_up)
        nvmi_back_ahead(&nvmi_pool);
    h->rover = first + count < nvmi_pool.backed_pages ? first + count : 0;
    return first;
}

bool nvmi_pages_extend(uint32_t first, uint32_t count, uint32_t more, uint32_t *virgin_from)
{
    uint32_t blocker, end = end_of_pages();
    if (first + count > end || more > end - first - count ||
        !run_is_free(first + count, more, &blocker))
        return false;
    take(first + count, more, virgin_from);
    return true;
}

void nvmi_pages_release(uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        nvmi_page_set(first + i, (struct nvm_disk_page){.state = NVM_PAGE_FREE});
    nvmi_heap.used_pages -= count;
    nvmi_headroom_freed();
}

bool nvmi_may_be_torn(const struct nvmi_pool *pool)
{
    return pool->restored && pool->format->by_transaction && !pool->control_read.settled;
}

bool nvmi_page_is_torn(const struct nvm_disk_page *e)
{
    bool first = e->state || e->size_class || e->type || e->run, second = e->slack || e->crc;
    return first != second;
}
