/*===- stores.c - which words of which blocks are written ---===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The compiler (gcc -fsanitize=kernel-address, all checks by call, no reads) puts a
 * call of __asan_storeN_noabort before each store, libc's writers come through the
 * audit's wrappers. A bit for each word of 8 bytes of the arena: written while the
 * load ran, written since.
 */
#define _GNU_SOURCE
#include "audit/intercept.h"
#include "observe.h"
#include <string.h>

static uint64_t *written, *changed;
/* The inline hooks of nvm.h ask it, too: no line is ever announced. */
struct nvm_hot nvm_hot;

static void open_bits(void)
{
    written = nvmi_obtain(NVMI_ARENA_BYTES / 64);
    changed = nvmi_obtain(NVMI_ARENA_BYTES / 64);
    nvm_hot.touched = nvmi_obtain(NVMI_ARENA_BYTES / 64);
    nvm_hot.base = nvmi_arena;
    nvm_hot.size_bytes = NVMI_ARENA_BYTES;
}

static bool bit(const uint64_t *map, uint64_t i)
{
    return map[i / 64] >> i % 64 & 1;
}

static void set(uint64_t *map, uint64_t i)
{
    if (!bit(map, i))
        __atomic_fetch_or(&map[i / 64], 1ull << i % 64, __ATOMIC_RELAXED);
}

void nvmi_intercept(const void *p, size_t size_bytes, const void *caller)
{
    (void)caller;
    uint64_t offset = (uintptr_t)p - nvmi_arena;
    if (nvmi_phase == NVMI_BEFORE || !written || offset >= NVMI_ARENA_BYTES || !size_bytes ||
        size_bytes > NVMI_ARENA_BYTES - offset)
        return;
    uint64_t *map = nvmi_phase == NVMI_IN_LOAD ? written : changed;
    for (uint64_t i = offset / 8; i <= (offset + size_bytes - 1) / 8; i++)
        set(map, i);
}

void nvm_touch(unsigned long offset, unsigned long size_bytes)
{
    nvmi_intercept((void *)(nvmi_arena + offset), size_bytes, NULL);
}

static void copy_bits(const uint64_t *map, uint64_t first, uint64_t words, uint64_t *into)
{
    for (uint64_t i = 0; i < words && i < NVMI_WORDS; i++)
        if (bit(map, first + i))
            into[i / 64] |= 1ull << i % 64;
}

void nvmi_bits_of(uintptr_t start, uint64_t size_bytes, uint64_t *written_words,
                  uint64_t *changed_words)
{
    if (!written)
        return;
    copy_bits(written, (start - nvmi_arena) / 8, (size_bytes + 7) / 8, written_words);
    copy_bits(changed, (start - nvmi_arena) / 8, (size_bytes + 7) / 8, changed_words);
}

bool nvmi_is_written(uintptr_t start, uint64_t size_bytes)
{
    for (uint64_t i = (start - nvmi_arena) / 8, end = i + (size_bytes + 7) / 8; written && i < end;
         i++)
        if (bit(written, i))
            return true;
    return false;
}

static void clear(uint64_t *map, uint64_t first, uint64_t end)
{
    for (uint64_t i = first; i < end; i++)
        if (bit(map, i))
            __atomic_fetch_and(&map[i / 64], ~(1ull << i % 64), __ATOMIC_RELAXED);
}

void nvmi_bits_clear(uintptr_t start, uint64_t size_bytes)
{
    uint64_t first = (start - nvmi_arena) / 8;
    if (!written)
        open_bits();
    if (nvmi_phase == NVMI_BEFORE) /* nothing is set yet */
        return;
    clear(written, first, first + (size_bytes + 7) / 8);
    clear(changed, first, first + (size_bytes + 7) / 8);
}

void nvmi_bits_move(uintptr_t to, uintptr_t from, uint64_t size_bytes)
{
    if (nvmi_phase == NVMI_BEFORE)
        return;
    for (uint64_t i = 0; i < (size_bytes + 7) / 8; i++) {
        if (bit(written, (from - nvmi_arena) / 8 + i))
            set(written, (to - nvmi_arena) / 8 + i);
        if (bit(changed, (from - nvmi_arena) / 8 + i))
            set(changed, (to - nvmi_arena) / 8 + i);
    }
}
