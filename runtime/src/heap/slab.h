/*===- slab.h - blocks of one size class and one type in a page -------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_HEAP_SLAB_H
#define NVMOVE_SRC_HEAP_SLAB_H

#include "heap/classes.h"
#include "heap/state.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The functions are called under the lock of the arena that the slab belongs to. */

/* Points the bin at a word with a free block; `may_grow`: takes a new page if need be. */
bool nvmi_slab_choose(struct nvmi_arena *arena, unsigned type, unsigned size_class, bool may_grow);
void nvmi_slab_full(struct nvmi_bin *bin); /* its word's page is, now */
/* Does not wait for the commit to set the bits of this word; it is to be chosen anew. */
void nvmi_bin_publish(struct nvmi_bin *bin);
/* Frees the block that begins there, `at_once` or with the commit; false: there is none. */
bool nvmi_slab_free(struct nvmi_arena *arena, uint32_t page, uint32_t offset_in_page, bool at_once);
/* At commit, everything locked. */
void nvmi_slabs_apply(struct nvmi_arena *arena, bool at_once);
void nvmi_slab_block(uint32_t page, uint32_t offset_in_page, struct nvmi_block *out);
/* Is no block that lies in the line one of the last commit? Then no commit depends on what
 * the home copy holds there. For whom the line, or a block in it, belongs to; any thread. */
bool nvmi_slab_line_is_new(uint32_t page, uint32_t offset_in_page);
/* As of the last commit, without blocks freed since. */
bool nvmi_slab_is_committed(uint32_t page, uint32_t index);

/* Most slabs use the first words only: those of neighbouring pages must not all meet in
 * the same few sets of the processor's cache. */
static inline struct nvmi_word *nvmi_word_at(uint32_t page, uint32_t number)
{
    return &nvmi_heap.words[(size_t)page * NVMI_PAGE_WORDS + (number ^ page % 32 * 2)];
}

static inline void nvmi_word_will_change(struct nvmi_arena *arena, uint32_t page, uint32_t number,
                                         struct nvmi_word *word)
{
    /* Written in any case: whether it counts is hard to predict. */
    arena->changed.word[arena->changed.count] = page * NVMI_PAGE_WORDS + number;
    arena->changed.count += !word->changed;
    word->changed = 1;
    /* The commit will save the contents of this word, and change it. */
    __builtin_prefetch(nvmi_heap.bitmaps + (size_t)page * NVM_BITMAP_BYTES + number * 8, 1);
}

static inline struct nvmi_bin *nvmi_bin_at(struct nvmi_arena *arena, unsigned type,
                                           unsigned size_class)
{
    return &arena->bins[(size_t)type * NVMI_CLASSES + size_class];
}

/* Under the arena's lock: a block of the word that the bin points at. NULL: there is none. */
static inline void *nvmi_bin_take(struct nvmi_arena *arena, struct nvmi_bin *bin,
                                  unsigned size_class)
{
    struct nvmi_word *word = bin->word;
    if (__builtin_expect(!word || !~word->used, 0))
        return NULL;
    uint64_t bit = ~word->used & (word->used + 1);
    __atomic_store_n(&word->used, word->used | bit, __ATOMIC_RELAXED);
    __atomic_store_n(&word->fresh, word->fresh | bit, __ATOMIC_RELAXED);
    nvmi_word_will_change(arena, bin->page, bin->number, word);
    size_t bytes = nvmi_class[size_class].bytes;
    void *p = bin->blocks + (size_t)__builtin_ctzll(bit) * bytes;
    /* The next one has been left alone for long, and what lies beside it has to be saved. */
    uint64_t left = ~word->used;
    const unsigned char *next = bin->blocks + (left ? (size_t)__builtin_ctzll(left) * bytes : 0);
    __builtin_prefetch(next, 1);
    __builtin_prefetch(next + bytes - 1, 1);
    if (__builtin_expect(--nvmi_heap.info[bin->page].free == 0, 0))
        nvmi_slab_full(bin);
    return p;
}

/* As nvmi_slab_free(), of a block as of the last commit, with the next one. False: that is
 * not so simple. */
static inline bool nvmi_slab_free_later(struct nvmi_arena *arena, uint32_t page,
                                        uint32_t offset_in_page)
{
    const struct nvmi_page_info *info = &nvmi_heap.info[page];
    const struct nvmi_class *class = &nvmi_class[info->size_class];
    uint32_t index = nvmi_index_of(offset_in_page, class), number = index / 64;
    struct nvmi_word *word = nvmi_word_at(page, number);
    if (!info->attached || offset_in_page != index * class->bytes || index >= class->capacity ||
        !((word->used & ~word->fresh & ~word->freed) >> index % 64 & 1))
        return false;
    word->freed |= (uint64_t)1 << index % 64;
    word->freed_count++;
    arena->deferred++;
    nvmi_word_will_change(arena, page, number, word);
    return true;
}

#endif /* NVMOVE_SRC_HEAP_SLAB_H */
