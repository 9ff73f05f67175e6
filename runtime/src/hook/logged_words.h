/*===- logged_words.h - words with a log in their line ----------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * A type has line logs if its layout in the pool ends with a field of NVM_KIND_LINE_LOG and its
 * size is that of a unit, 32 or 64 bytes. The tag of a log says in which epoch its copy was made,
 * and of which word of the unit:
 *
 *   tag = key of this place in this pool ^ (epoch * 8 + number of the word)
 *
 * By the key a tag counts only where the runtime has written it: what a record brings along that
 * is copied, or a block that was something else before, is no tag. So nothing has to be cleared
 * when a block is allocated, and what lies there is never taken for a copy.
 */
#ifndef NVMOVE_SRC_HOOK_LOGGED_WORDS_H
#define NVMOVE_SRC_HOOK_LOGGED_WORDS_H

#include "base/pool.h"

/* The last bytes of a unit, the end of the member that NVM_LINE_LOG_64() makes. */
struct nvmi_line_log {
    uint64_t tag, old;
};

extern uint64_t nvmi_log_seed; /* of the pool */
/* `unit_offset`: of the unit, in the arena. */
static inline uint64_t nvmi_log_key(uint64_t unit_offset)
{
    uint64_t x = (unit_offset ^ nvmi_log_seed) * 0x9e3779b97f4a7c15u;
    return (x ^ x >> 32) * 0xd6e8feb86659fd93u;
}
static inline uint64_t nvmi_log_tag(uint64_t unit_offset, uint64_t epoch, unsigned word)
{
    return nvmi_log_key(unit_offset) ^ (epoch << 3 | word);
}
static inline uint64_t nvmi_log_epoch(uint64_t unit_offset, uint64_t tag)
{
    return (tag ^ nvmi_log_key(unit_offset)) >> 3;
}

/* Bytes of a unit in each page of the heap; 0: its words have no logs. Atomic. */
struct nvmi_log_pages {
    uint8_t *unit;
    uint32_t count;
};
extern struct nvmi_log_pages nvmi_log_pages;
/* For an open heap of so many pages. False: there is no address space. */
bool nvmi_log_pages_open(uint32_t count);
void nvmi_log_pages_close(void);
static inline void nvmi_log_page_set(uint32_t page, unsigned unit)
{
    __atomic_store_n(&nvmi_log_pages.unit[page], (uint8_t)unit, __ATOMIC_RELAXED);
}

/* A word that is about to be stored to, and the log that would take its copy. */
struct nvmi_logged_word {
    uint64_t offset; /* of the word, in the arena */
    uint64_t unit_offset;
    unsigned number; /* of the word in the unit */
    struct nvmi_line_log *log;
};
/* False: the range is not part of one word, or that has no log. */
static inline bool nvmi_logged_word(uint64_t offset, uint64_t size_bytes,
                                    struct nvmi_logged_word *out)
{
    uint64_t in_pages = offset - nvmi_pool.header.page_offset, page = in_pages / NVM_PAGE_BYTES;
    if (offset % 8 + size_bytes > 8 || page >= nvmi_log_pages.count || size_bytes == 0)
        return false;
    unsigned unit = __atomic_load_n(&nvmi_log_pages.unit[page], __ATOMIC_RELAXED);
    if (!unit)
        return false;
    out->offset = offset & ~(uint64_t)7;
    out->unit_offset = offset & ~((uint64_t)unit - 1);
    out->number = (unsigned)(offset - out->unit_offset) / 8;
    out->log = (struct nvmi_line_log *)(void *)(nvmi_pool.heap + out->unit_offset + unit) - 1;
    return out->number < unit / 8 - 2; /* else the log itself */
}

/* Has the word been copied in the open epoch? Under the engine lock, or where no other thread
 * can commit. */
static inline bool nvmi_is_logged(const struct nvmi_logged_word *w)
{
    uint64_t epoch = __atomic_load_n(&nvmi_pool.epoch, __ATOMIC_ACQUIRE) + 1;
    return __atomic_load_n(&w->log->tag, __ATOMIC_RELAXED) ==
           nvmi_log_tag(w->unit_offset, epoch, w->number);
}

/* Puts back the words of a line that were copied in `epoch`. False: none were. */
bool nvmi_line_logs_undo(unsigned char *line, uint64_t line_offset, unsigned unit, uint64_t epoch);

#endif /* NVMOVE_SRC_HOOK_LOGGED_WORDS_H */
