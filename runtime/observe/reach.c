/*===- reach.c - what the roots lead to ---===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * As LeakSanitizer looks for what is lost: each word of static memory, of the
 * variables of main() and of each block reached that holds an address in a block
 * leads there, also into the middle of it. The bits that processors ignore in
 * addresses may hold marks of the program.
 */
#define _GNU_SOURCE
#include "observe.h"
#include <link.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define ADDRESS_BITS 48
#define NO_ROOT 0xffffu
#define MOST_ROOTS 0xfff0u
#define FRAMES 0xfffeu /* as a root: functions that the load was called by */

struct nvmi_statics nvmi_statics[8];
unsigned nvmi_statics_count;

extern char __start_nvmi_bss[], __stop_nvmi_bss[], __start_nvmi_data[], __stop_nvmi_data[];
static uintptr_t *queue;
static size_t queue_room, queued;
static uintptr_t root_words[MOST_ROOTS];
static unsigned root_count;

/*===-- static memory -------------------------------------------------------===*/

static void add_statics(uintptr_t begin, uintptr_t end)
{
    begin = (begin + 7) & ~7ull;
    end &= ~7ull;
    if (begin >= end || nvmi_statics_count == sizeof(nvmi_statics) / sizeof(*nvmi_statics))
        return;
    size_t words = (end - begin) / 8;
    nvmi_statics[nvmi_statics_count++] = (struct nvmi_statics){begin,
                                                               end,
                                                               nvmi_obtain(end - begin),
                                                               nvmi_obtain(end - begin),
                                                               nvmi_obtain(words),
                                                               nvmi_obtain(words),
                                                               nvmi_obtain(words),
                                                               nvmi_obtain(words)};
}

/* Writable memory of the program itself, not that of libraries; what is only written
 * before main() runs is not among it. */
static int find_statics(struct dl_phdr_info *info, size_t size, void *unused)
{
    uintptr_t relro = 0, relro_end = 0;
    (void)size;
    (void)unused;
    for (unsigned i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO) {
            relro = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            relro_end = (relro + info->dlpi_phdr[i].p_memsz + 4095) & ~4095ull;
        }
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + p->p_vaddr, end = begin + p->p_memsz;
        if (p->p_type != PT_LOAD || !(p->p_flags & PF_W))
            continue;
        add_statics(relro_end > begin && relro_end <= end && relro <= begin ? relro_end : begin,
                    end);
    }
    return 1;
}

/*===-- the scan ------------------------------------------------------------===*/

static void push(uintptr_t start)
{
    if (queued == queue_room) {
        size_t room = queue_room ? queue_room * 2 : 1 << 16;
        uintptr_t *more = nvmi_obtain(room * sizeof(*queue));
        if (queue) {
            memcpy(more, queue, queued * sizeof(*queue));
            munmap(queue, queue_room * sizeof(*queue));
        }
        queue = more;
        queue_room = room;
    }
    queue[queued++] = start;
}

static void follow(uintptr_t word, unsigned root)
{
    uintptr_t start;
    struct nvmi_block *block = nvmi_block_at(word & ((1ull << ADDRESS_BITS) - 1), &start);
    if (!block || block->state & NVMI_REACHED)
        return;
    block->state |= NVMI_REACHED;
    block->root = (uint16_t)root;
    push(start);
}

static void follow_all(uintptr_t begin, uintptr_t end, unsigned root)
{
    for (uintptr_t p = begin; p + 8 <= end; p += 8)
        follow(*(const uintptr_t *)p, root);
}

static void scan_queue(void)
{
    for (size_t i = 0; i < queued; i++) {
        uintptr_t start;
        struct nvmi_block *block = nvmi_block_at(queue[i], &start);
        follow_all(start, start + block->size_bytes, block->root);
    }
}

/* The section of the library that the address lies in ends there; 0: it is the program's. */
static uintptr_t end_of_ours(uintptr_t address)
{
    if (address >= (uintptr_t)__start_nvmi_bss && address < (uintptr_t)__stop_nvmi_bss)
        return (uintptr_t)__stop_nvmi_bss;
    if (address >= (uintptr_t)__start_nvmi_data && address < (uintptr_t)__stop_nvmi_data)
        return (uintptr_t)__stop_nvmi_data;
    return 0;
}

static void clear_mark(uintptr_t start, struct nvmi_block *block)
{
    (void)start;
    block->state &= (uint16_t)~NVMI_REACHED;
}

/* Level by level: the root of an object is one from which few steps lead there. */
static void scan(bool ends)
{
    uintptr_t low, high;
    nvmi_each_block(clear_mark);
    queued = 0;
    root_count = 0;
    for (unsigned i = 0; i < nvmi_statics_count; i++)
        for (uintptr_t p = nvmi_statics[i].begin; p < nvmi_statics[i].end; p += 8) {
            size_t before = queued;
            uintptr_t end = end_of_ours(p);
            if (end) {
                p = ((end + 7) & ~7ull) - 8;
                continue;
            }
            follow(*(const uintptr_t *)p, root_count < MOST_ROOTS ? root_count : NO_ROOT);
            if (queued > before && root_count < MOST_ROOTS)
                root_words[root_count++] = p;
        }
    if (nvmi_frame_of_main(&low, &high))
        follow_all(low, high, NO_ROOT);
    scan_queue();
    if (ends) {
        queued = 0;
        jmp_buf registers;
        setjmp(registers); /* of the caller, too: it may keep there what it returns */
        follow_all((uintptr_t)&registers, (uintptr_t)(&registers + 1), FRAMES);
        nvmi_frames_within(&low, &high);
        follow_all(low & ~7ull, high, FRAMES);
        scan_queue();
    }
}

/*===-- what is counted -----------------------------------------------------===*/

static void note_root(unsigned root, bool leads)
{
    if (root >= root_count)
        return;
    for (unsigned i = 0; i < nvmi_statics_count; i++) {
        struct nvmi_statics *s = &nvmi_statics[i];
        if (root_words[root] >= s->begin && root_words[root] < s->end)
            (leads ? s->leads : s->fills)[(root_words[root] - s->begin) / 8] = 1;
    }
}

static void note_words(uintptr_t start, struct nvmi_block *block)
{
    struct nvmi_site *site = &nvmi_sites[block->site];
    nvmi_bits_of(start, block->size_bytes, site->written, site->changed);
    if (block->size_bytes > site->bytes)
        site->bytes = block->size_bytes;
}

static void keep(uintptr_t start, struct nvmi_block *block)
{
    if (!(block->state & NVMI_REACHED))
        return;
    if (block->state & NVMI_OF_LOAD) {
        nvmi_sites[block->site].kept++;
        nvmi_sites[block->site].returned += block->root == FRAMES;
    } else if (nvmi_is_written(start, block->size_bytes)) {
        nvmi_sites[block->site].filled++;
    } else {
        return;
    }
    block->state |= NVMI_KEPT;
    note_words(start, block);
}

/* A kept block that a start made, which leads to one of the load: the head of a table. */
static void lead(uintptr_t start, struct nvmi_block *block)
{
    bool leads = block->state & NVMI_OF_LOAD;
    if (!(block->state & NVMI_KEPT))
        return;
    for (uintptr_t p = start; !leads && p + 8 <= start + block->size_bytes; p += 8) {
        uintptr_t at;
        struct nvmi_block *to =
            nvmi_block_at(*(const uintptr_t *)p & ((1ull << ADDRESS_BITS) - 1), &at);
        if (to && to->state & NVMI_KEPT && to->state & NVMI_OF_LOAD)
            nvmi_sites[block->site].leading++, leads = true;
    }
    note_root(block->root, leads);
    if (leads)
        block->state |= NVMI_LEADS;
}

/* Words that lead there at once, also where another root does. */
static void note_pointers(struct nvmi_statics *s)
{
    for (uintptr_t p = s->begin; p < s->end; p += 8) {
        uintptr_t start;
        struct nvmi_block *to =
            nvmi_block_at(*(const uintptr_t *)p & ((1ull << ADDRESS_BITS) - 1), &start);
        if (to && to->state & NVMI_LEADS && !end_of_ours(p))
            s->leads[(p - s->begin) / 8] = 1;
    }
}

static void push_leading(uintptr_t start, struct nvmi_block *block)
{
    if (block->state & NVMI_KEPT)
        note_words(start, block);
    if (block->state & NVMI_LEADS) {
        block->state |= NVMI_REACHED;
        push(start);
    }
}

/* What hangs from kept blocks now, whoever made it. */
static void look(uintptr_t start, struct nvmi_block *block)
{
    (void)start;
    if (!(block->state & NVMI_REACHED) || !(block->state & NVMI_OF_LATER) ||
        block->state & NVMI_LATER)
        return;
    block->state |= NVMI_LATER;
    nvmi_sites[block->site].later++;
}

void nvmi_load_begins(void)
{
    for (unsigned i = 0; i < nvmi_statics_count; i++)
        memcpy(nvmi_statics[i].before, (void *)nvmi_statics[i].begin,
               nvmi_statics[i].end - nvmi_statics[i].begin);
}

static void compare(struct nvmi_statics *s, unsigned char *marks, const unsigned char *with)
{
    for (size_t i = 0; i < (s->end - s->begin) / 8; i++)
        if (memcmp((void *)(s->begin + i * 8), with + i * 8, 8) && !end_of_ours(s->begin + i * 8))
            marks[i] = 1;
}

void nvmi_load_ends(void)
{
    for (unsigned i = 0; i < nvmi_statics_count; i++) {
        struct nvmi_statics *s = &nvmi_statics[i];
        compare(s, s->written, s->before);
        memcpy(s->after, (void *)s->begin, s->end - s->begin);
    }
    scan(true);
    nvmi_each_block(keep);
    nvmi_each_block(lead);
    for (unsigned i = 0; i < nvmi_statics_count; i++)
        note_pointers(&nvmi_statics[i]);
}

void nvmi_look_again(void)
{
    for (unsigned i = 0; i < nvmi_statics_count; i++)
        compare(&nvmi_statics[i], nvmi_statics[i].changed, nvmi_statics[i].after);
    nvmi_each_block(clear_mark);
    queued = 0;
    nvmi_each_block(push_leading);
    scan_queue();
    nvmi_each_block(look);
    /* items = load(); */
    for (unsigned i = 0; i < nvmi_statics_count; i++)
        note_pointers(&nvmi_statics[i]);
}

void nvmi_block_ends(uintptr_t start, struct nvmi_block *block)
{
    if (block->state & NVMI_KEPT)
        note_words(start, block);
    if (nvmi_phase == NVMI_IN_LOAD && block->state & NVMI_OF_LOAD)
        nvmi_sites[block->site].ended++;
}

__attribute__((constructor(101))) static void begin(void)
{
    nvmi_symbols_read();
    dl_iterate_phdr(find_statics, NULL);
}
