/*===- layout_flat.c - particles by number, in one array or in blocks -------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Particle i stays where it is; what is by cell is only the copy in grid.sorted. Changes are
 * made by pieces of 64 particles, which are 40 lines of the cache, and pieces that are as before
 * are left alone. With blocks (-DBLOCKS) it is known of each when it changed last.
 */
#define _DEFAULT_SOURCE
#include "state.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PIECE 64u

#ifdef BLOCKS
#define BLOCK_BYTES (2u << 20)
#define PAGE_BYTES 65536
static struct particle *blocks[MOST_GROUPS];
static _Atomic int64_t *changed; /* of each block: the step */
#else
static struct particle *particles;
#endif

static uint32_t *counts; /* of each thread, of each cell; then where its next one goes */
static uint32_t *slot_of;

static uint32_t groups(void)
{
    return (fluid.count + GROUP - 1) / GROUP;
}

static uint32_t in_group(uint32_t g)
{
    return g + 1 < groups() ? GROUP : fluid.count - g * GROUP;
}

static struct particle *group(uint32_t g)
{
#ifdef BLOCKS
    return blocks[g];
#else
    return particles + (size_t)g * GROUP;
#endif
}

bool layout_allocate(void)
{
#ifdef BLOCKS
    for (uint32_t g = 0; g < groups(); g++) {
        blocks[g] = aligned_alloc(BLOCK_BYTES, BLOCK_BYTES);
        if (!blocks[g]) /* a heap may promise less */
            blocks[g] = aligned_alloc(PAGE_BYTES, BLOCK_BYTES);
        if (!blocks[g])
            return false;
        madvise(blocks[g], BLOCK_BYTES, MADV_HUGEPAGE);
    }
    return true;
#else
    particles = aligned_alloc(64, ((size_t)fluid.count * sizeof(*particles) + 63) / 64 * 64);
    return particles != NULL;
#endif
}

const char *layout_load(int file, const uint64_t *sums)
{
    if (fluid.is_part)
        return "it is of one rank among others [state-rank]";
    for (uint32_t g = 0; g < groups(); g++) {
        struct sum sum = {0};
        struct particle *p = group(g);
        size_t size_bytes = in_group(g) * sizeof(*p);
        if (!read_all(file, p, size_bytes, HEAD_BYTES + (int64_t)g * GROUP * (int64_t)sizeof(*p)))
            return errno ? strerror(errno) : "it has become shorter [state-damaged]";
        sum_add(&sum, p, in_group(g));
        if (sum_end(&sum) != sums[g])
            return "its particles are damaged [state-damaged]";
        for (uint32_t i = 0; i < in_group(g); i++)
            if (p[i].id != g * GROUP + i)
                return "its particles are in another order, of layout list [state-order]";
    }
    return NULL;
}

bool layout_save(int file, int64_t since, uint64_t *sums, unsigned me, unsigned threads)
{
    for (uint32_t g = me; g < groups(); g += threads) {
        struct sum sum = {0};
        const struct particle *p = group(g);
#ifdef BLOCKS
        if (changed[g] <= since)
            continue;
#endif
        (void)since;
        if (!write_all(file, p, in_group(g) * sizeof(*p),
                       HEAD_BYTES + (int64_t)g * GROUP * (int64_t)sizeof(*p)))
            return false;
        sum_add(&sum, p, in_group(g));
        sums[g] = sum_end(&sum);
    }
    return true;
}

bool layout_make(unsigned threads)
{
    counts = calloc((size_t)threads * grid.cells, sizeof(*counts));
    slot_of = calloc(fluid.count, sizeof(*slot_of));
#ifdef BLOCKS
    changed = calloc(groups(), sizeof(*changed));
    return counts && slot_of && changed;
#else
    return counts && slot_of;
#endif
}

/* A thread has the particles from here to where the next one begins: whole pieces. */
static uint32_t begin_of(unsigned thread)
{
    uint64_t pieces = (fluid.count + PIECE - 1) / PIECE;
    uint64_t first = pieces * thread / grid.threads * PIECE;
    return first < fluid.count ? (uint32_t)first : fluid.count;
}

/* From the counts to places, by cell and in each cell by thread, so by number. */
static void place(void)
{
    uint32_t at = 0;
    for (uint32_t cell = 0; cell < grid.cells; cell++) {
        grid.first[cell] = at;
        for (unsigned t = 0; t < grid.threads; t++) {
            uint32_t n = counts[(size_t)t * grid.cells + cell];
            counts[(size_t)t * grid.cells + cell] = at;
            at += n;
        }
    }
    grid.first[grid.cells] = at;
}

void layout_sort(unsigned me)
{
    uint32_t *count = counts + (size_t)me * grid.cells, end = begin_of(me + 1);
    memset(count, 0, grid.cells * sizeof(*count));
    for (uint32_t i = begin_of(me); i < end; i++) {
        slot_of[i] = grid_cell(group(i / GROUP)[i % GROUP].position);
        count[slot_of[i]]++;
    }
    team_wait();
    if (me == 0)
        place();
    team_wait();
    for (uint32_t i = begin_of(me); i < end; i++) {
        const struct particle *p = &group(i / GROUP)[i % GROUP];
        uint32_t slot = count[slot_of[i]]++;
        struct sorted *s = &grid.sorted[slot];
        memcpy(s->position, p->position, sizeof(s->position));
        memcpy(s->velocity, p->velocity, sizeof(s->velocity));
        s->moves = i >= fluid.fixed;
        slot_of[i] = slot;
    }
    team_wait();
}

void layout_move(unsigned me)
{
    _Static_assert(GROUP % PIECE == 0, "a piece lies in one group");
    uint32_t end = begin_of(me + 1);
    for (uint32_t i = begin_of(me); i < end; i += PIECE) {
        struct particle piece[PIECE], *there = &group(i / GROUP)[i % GROUP];
        uint32_t n = end - i < PIECE ? end - i : PIECE;
        if (i + n <= fluid.fixed)
            continue;
        memcpy(piece, there, n * sizeof(*piece));
        for (uint32_t k = 0; k < n; k++)
            if (i + k >= fluid.fixed)
                grid_advance(&piece[k], grid.acceleration[slot_of[i + k]]);
        if (memcmp(piece, there, n * sizeof(*piece)) == 0)
            continue;
        memcpy(there, piece, n * sizeof(*piece));
#ifdef BLOCKS
        changed[i / GROUP] = (int64_t)fluid.step + 1;
#endif
    }
}

const struct particle *layout_some(void)
{
    uint32_t i = fluid.fixed + (fluid.count - fluid.fixed) / 2;
    return &group(i / GROUP)[i % GROUP];
}

#ifdef REGIONS
unsigned layout_regions(struct region out[MOST_REGIONS])
{
    unsigned n = groups() <= MOST_REGIONS ? groups() : 0;
    for (uint32_t g = 0; g < n; g++)
        out[g] = (struct region){group(g), in_group(g) * sizeof(struct particle)};
    return n;
}

void layout_pack(void) {}

bool layout_unpack(void)
{
    return true;
}
#endif
