/*===- headroom.c - pages that only the start-up section may take -----------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * A program whose heap is full must be able to start again, or it could never
 * free anything. So sections leave the last free pages alone; how many, the pool
 * learns from what start-ups took.
 *
 * Should a start-up find less than it is to leave, sections get half of what is
 * free all the same: they must be able to free something, and each of several
 * starts in a row still finds half of what the one before did.
 */
#include "heap/headroom.h"
#include "base/pool.h"
#include "heap/state.h"

/* What a start-up makes anew stays in the pool: so often it can be repeated. */
#define FACTOR 3u
#define SLACK_PAGES 4u
#define LARGEST_SHARE 8u /* of the pages that there are: one part in */

static uint32_t used_at_open;

static uint32_t free_pages(void)
{
    return nvmi_pool.backed_pages - nvmi_heap.used_pages;
}

static uint32_t wanted(void)
{
    return (uint32_t)nvmi_heap_header()->headroom_pages;
}

/* The pages that are held back are the last free ones, so that they lie together. */
static void hold_back(uint32_t count)
{
    struct nvmi_heap *h = &nvmi_heap;
    uint32_t page = nvmi_pool.backed_pages;
    for (uint32_t found = 0; page > 0 && found < count; page--)
        found += h->directory[page - 1].state == NVM_PAGE_FREE;
    h->held_back = count;
    h->section_end = page;
}

void nvmi_headroom_begin(void)
{
    used_at_open = nvmi_heap.used_pages;
    nvmi_heap.held_back = 0;
    nvmi_heap.section_end = nvmi_pool.backed_pages;
}

static void learn(void)
{
    struct nvm_disk_heap *header = nvmi_heap_header();
    uint32_t most = nvmi_pool.backed_pages / LARGEST_SHARE;
    uint32_t used = nvmi_heap.used_pages;
    uint32_t taken = used > used_at_open ? used - used_at_open : 0;
    uint32_t pages = taken < most ? FACTOR * taken + SLACK_PAGES : most;
    if (pages > most)
        pages = most;
    if (pages > header->headroom_pages)
        nvmi_heap_change()->headroom_pages = pages;
}

void nvmi_headroom_restored(void)
{
    if (!nvmi_pool.restored) /* the load follows, and does so only once */
        learn();
}

void nvmi_headroom_ready(void)
{
    if (nvmi_pool.restored)
        learn();
    uint32_t half = free_pages() / 2;
    hold_back(wanted() < half ? wanted() : half);
}

void nvmi_headroom_freed(void)
{
    if (nvmi_heap.held_back < wanted() && !nvmi_pool.start_up && free_pages() / 2 >= wanted())
        hold_back(wanted());
}

bool nvmi_headroom_look_again(void)
{
    uint32_t before = nvmi_heap.section_end;
    if (nvmi_pool.start_up || free_pages() <= nvmi_heap.held_back)
        return false;
    hold_back(nvmi_heap.held_back);
    return nvmi_heap.section_end > before;
}

void nvmi_headroom_grown(void)
{
    if (!nvmi_pool.start_up)
        hold_back(nvmi_heap.held_back);
}
