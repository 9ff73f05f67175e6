/*===- faults.c - bugs planted in the engine that is in use -----------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "faults.h"
#include "base/engine.h"
#include "base/pool.h"
#include "heap/directory.h"
#include "heap/heap.h"
#include "heap/slab.h"
#include "heap/state.h"
#include "hook/logged_words.h"
#include "medium/control.h"
#include "medium/persist.h"
#include "named/types.h"
#include "threads/side_by_side.h"
#include <string.h>
#include <unistd.h>

static const struct nvm_engine *real;
static struct nvm_engine faulty;

static void save_all_but_one(struct nvmi_pool *pool, const uint32_t *number,
                             size_t count) {
  if (count > 1)
    real->save(pool, number, count - 1);
}

static void save_marked(struct nvmi_pool *pool, const uint32_t *number,
                        size_t count) {
  for (size_t i = 0; i < count; i++)
    nvm_hot.touched[number[i]] = 1;
  real->save(pool, number, count);
}

void leave_early(void) {
  if (nvmi_beside)
    __atomic_store_n(&nvmi_beside->inside, 0, __ATOMIC_RELEASE);
}

static void no_fence(void) {}

static void save_without_fence(struct nvmi_pool *pool, const uint32_t *number,
                               size_t count) {
  const struct nvmi_persist *before = nvmi_persist;
  struct nvmi_persist table = *before;
  table.fence = no_fence;
  nvmi_persist = &table;
  real->save(pool, number, count);
  nvmi_persist = before;
}

/* Threads save at once: the table stays in its place meanwhile. */
static const struct nvmi_persist *all_fences;
static struct nvmi_persist some_fences;
static _Thread_local int skips_one;

static void fence_unless_skipped(void) {
  if (!skips_one)
    all_fences->fence();
  skips_one = 0;
}

static unsigned in_fence, that_meet;

static void fence_with_others(void) {
  all_fences->fence();
  __atomic_add_fetch(&in_fence, 1, __ATOMIC_SEQ_CST);
  for (int i = 0; i < 5000 && !fences_met(); i++)
    usleep(1000);
}

void fences_meet(unsigned threads) {
  that_meet = threads;
  all_fences = nvmi_persist;
  some_fences = *nvmi_persist;
  some_fences.fence = fence_with_others;
  nvmi_persist = &some_fences;
}

int fences_met(void) {
  return __atomic_load_n(&in_fence, __ATOMIC_SEQ_CST) >= that_meet;
}

static void save_behind_no_head(struct nvmi_pool *pool, const uint32_t *number,
                                size_t count) {
  const struct nvmi_slice *own = nvmi_beside ? &nvmi_beside->slice : NULL;
  skips_one = own && count == 1 && own->end - own->at < 2 * NVM_LINE_BYTES;
  real->save(pool, number, count);
  skips_one = 0;
}

static void save_where_another_does(struct nvmi_pool *pool,
                                    const uint32_t *number, size_t count) {
  for (struct nvmi_beside *b = nvmi_all_beside; b && nvmi_beside; b = b->next)
    if (b->slice.end && !nvmi_beside->slice.end)
      nvmi_beside->slice = b->slice;
  real->save(pool, number, count);
}

static void commit_first(struct nvmi_pool *pool, struct nvmi_changes *changes) {
  nvmi_control_commit(pool);
  real->commit(pool, changes);
}

static void commit_all_but_one(struct nvmi_pool *pool,
                               struct nvmi_changes *changes) {
  if (changes->lines.count > 1)
    changes->lines.count--;
  real->commit(pool, changes);
}

/* A cut in between finds a tag that says of what lies there that it is a copy.
 */
static bool tag_first(struct nvmi_pool *pool,
                      const struct nvmi_logged_word *word) {
  uint64_t before = word->log->tag, epoch = pool->epoch + 1;
  if (!nvmi_is_logged(word) &&
      !nvmi_line_is_new(word->offset / NVM_LINE_BYTES) &&
      nvmi_log_epoch(word->unit_offset, before) != epoch) {
    word->log->tag = nvmi_log_tag(word->unit_offset, epoch, word->number);
    nvmi_persist->fence();
    word->log->tag = before;
  }
  return real->log_word(pool, word);
}

static bool not_flushed(struct nvmi_pool *pool,
                        const struct nvmi_logged_word *word) {
  size_t count = pool->changes.lines.count;
  bool done = real->log_word(pool, word);
  pool->changes.lines.count = count;
  return done;
}

static void no_flush(const void *p, size_t size_bytes) {
  (void)p;
  (void)size_bytes;
}

static bool not_noted(struct nvmi_pool *pool,
                      const struct nvmi_logged_word *word) {
  const struct nvmi_persist *before = nvmi_persist;
  struct nvmi_persist table = *before;
  table.flush = no_flush;
  nvmi_persist = &table;
  bool done = real->log_word(pool, word);
  nvmi_persist = before;
  return done;
}

void fault_plant(enum fault fault) {
  if (fault == FAULT_NONE)
    return;
  real = nvmi_pool.engine;
  faulty = *real;
  if (fault == FAULT_LINE_NOT_SAVED)
    faulty.save = save_all_but_one;
  else if (fault == FAULT_SAVED_LATE)
    faulty.save = save_without_fence;
  else if (fault == FAULT_MARKED_FIRST)
    faulty.save = save_marked;
  else if (fault == FAULT_SLICE_SHARED)
    faulty.save = save_where_another_does;
  else if (fault == FAULT_HEAD_NOT_FENCED) {
    faulty.save = save_behind_no_head;
    all_fences = nvmi_persist;
    some_fences = *nvmi_persist;
    some_fences.fence = fence_unless_skipped;
    nvmi_persist = &some_fences;
  } else if (fault == FAULT_COMMIT_FIRST)
    faulty.commit = commit_first;
  else if (fault == FAULT_TAG_BEFORE_COPY)
    faulty.log_word = tag_first;
  else if (fault == FAULT_WORD_NOT_FLUSHED)
    faulty.log_word = not_flushed;
  else if (fault == FAULT_PART_NOT_NOTED)
    faulty.log_word = not_noted;
  else
    faulty.commit = commit_all_but_one;
  nvmi_pool.engine = &faulty;
}

static unsigned long blocks_of_slab(uint32_t page) {
  const uint64_t *bits =
      (const void *)(nvmi_heap.bitmaps + (size_t)page * NVM_BITMAP_BYTES);
  unsigned long count = 0;
  for (uint32_t i = 0; i < NVMI_PAGE_WORDS; i++) {
    const struct nvmi_word *word = nvmi_word_at(page, i);
    count += (unsigned long)__builtin_popcountll((bits[i] & ~word->freed) |
                                                 word->fresh);
  }
  return count;
}

static unsigned long freed_large(const char *type) {
  unsigned long count = 0;
  struct nvmi_block block;
  for (size_t i = 0; i < nvmi_heap.deferred.count; i++)
    count +=
        nvmi_heap_find(nvmi_pool.heap + nvmi_heap.deferred.offset[i], &block) &&
        strcmp(nvmi_type_name(block.type), type) == 0;
  return count;
}

unsigned long pool_blocks(const char *type) {
  unsigned long count = 0;
  for (uint32_t page = 0; page < nvmi_pool.backed_pages; page++) {
    const struct nvm_disk_page *entry = &nvmi_heap.directory[page];
    if (entry->state == NVM_PAGE_FREE || entry->state == NVM_PAGE_TAIL ||
        strcmp(nvmi_type_name(entry->type), type) != 0)
      continue;
    count += entry->state == NVM_PAGE_SLAB ? blocks_of_slab(page) : 1;
  }
  return count - freed_large(type);
}

unsigned long pool_epoch(void) { return nvmi_pool.epoch; }

unsigned long pool_log_tag(const void *record, unsigned long epoch,
                           unsigned word) {
  uint64_t offset = (uint64_t)((const unsigned char *)record - nvmi_pool.heap);
  return nvmi_log_tag(offset, epoch, word);
}

unsigned long pool_log_offset(void) { return nvmi_pool.header.log_offset; }
