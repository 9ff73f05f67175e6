/*===- layout_list.c - each cell has a list of its particles ----------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * As fluidanimate has it: a block of memory for each particle, and saving and loading go
 * from one to the next. Lists are by number. A thread has a range of the cells.
 */
#define _POSIX_C_SOURCE 200809L
#ifdef RANKS
#include "ranks.h"
#endif
#include "state.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct node {
    struct particle particle;
    struct node *next;
};
static struct node **cells;

/* Nodes on their way to another cell, of each thread. */
static struct leaving {
    struct node **node;
    uint32_t count, room;
} leaving[MOST_THREADS];

static void insert(struct node *node)
{
    struct node **at = &cells[grid_cell(node->particle.position)];
    while (*at && (*at)->particle.id < node->particle.id)
        at = &(*at)->next;
    node->next = *at;
    *at = node;
}

#ifdef RANKS
#define IS_OWN(cell) ranks_is_mine(cell)
#else
#define IS_OWN(cell) true
#endif

static bool add(const struct particle *p)
{
    struct node *node = malloc(sizeof(*node));
    if (!node)
        return false;
    node->particle = *p;
    insert(node);
    return true;
}

static uint32_t loaded;

static const char *load_group(FILE *stream, uint32_t n, uint64_t expected)
{
    struct sum sum = {0};
    for (uint32_t i = 0; i < n; i++) {
        struct particle p;
        if (fread(&p, sizeof(p), 1, stream) != 1)
            return "it has become shorter [state-damaged]";
        sum_add(&sum, &p, 1);
        if (!fluid.is_part && !IS_OWN(grid_cell(p.position)))
            continue;
        if (!add(&p))
            return "no memory";
        loaded++;
    }
    return sum_end(&sum) == expected ? NULL : "its particles are damaged [state-damaged]";
}

bool layout_allocate(void)
{
    grid_measure();
    cells = calloc(grid.cells, sizeof(struct node *));
    return cells != NULL;
}

const char *layout_load(int file, const uint64_t *sums)
{
#ifdef RANKS
    const char *wrong = ranks_measure();
    bool is_wanted = !fluid.is_part || ranks_are_several();
#else
    const char *wrong = NULL;
    bool is_wanted = !fluid.is_part;
#endif
    if (!is_wanted)
        return "it is of one rank among others [state-rank]";
    int copy = dup(file);
    FILE *stream = copy < 0 ? NULL : fdopen(copy, "r");
    if (!stream || fseek(stream, HEAD_BYTES, SEEK_SET) != 0)
        wrong = "no memory";
    for (uint32_t done = 0, g = 0; !wrong && done < fluid.count; done += GROUP, g++)
        wrong =
            load_group(stream, fluid.count - done < GROUP ? fluid.count - done : GROUP, sums[g]);
    if (stream)
        fclose(stream);
    fluid.count = loaded;
#ifdef RANKS
    fluid.is_part = ranks_are_several();
#endif
    return wrong;
}

static bool save_all(FILE *stream, uint64_t *sums)
{
    struct sum sum = {0};
    uint32_t done = 0;
    for (uint32_t cell = 0; cell < grid.cells; cell++)
        for (const struct node *node = cells[cell]; node; node = node->next) {
            if (fwrite(&node->particle, sizeof(node->particle), 1, stream) != 1)
                return false;
            sum_add(&sum, &node->particle, 1);
            if (++done % GROUP == 0 || done == fluid.count) {
                sums[(done - 1) / GROUP] = sum_end(&sum);
                sum = (struct sum){0};
            }
        }
    return true;
}

bool layout_save(int file, int64_t since, uint64_t *sums, unsigned me, unsigned threads)
{
    (void)since, (void)threads;
    if (me != 0)
        return true;
    int copy = dup(file);
    FILE *stream = copy < 0 ? NULL : fdopen(copy, "w");
    if (!stream)
        return false;
    bool is_done = fseek(stream, HEAD_BYTES, SEEK_SET) == 0 && save_all(stream, sums);
    written_bytes += fluid.count * sizeof(struct particle);
    return fclose(stream) == 0 && is_done;
}

bool layout_make(unsigned threads)
{
    for (unsigned t = 0; t < threads; t++) {
        leaving[t].room = 1024;
        leaving[t].node = malloc(leaving[t].room * sizeof(struct node *));
        if (!leaving[t].node)
            return false;
    }
#ifdef RANKS
    return !ranks_measure() && halo_make();
#else
    return true;
#endif
}

static uint32_t begin_of(unsigned thread)
{
    return (uint32_t)((uint64_t)grid.cells * thread / grid.threads);
}

void layout_sort(unsigned me)
{
    uint32_t end = begin_of(me + 1), at = 0;
    for (uint32_t cell = begin_of(me); cell < end; cell++) {
        uint32_t n = 0;
        for (const struct node *node = cells[cell]; node; node = node->next)
            n++;
#ifdef RANKS
        n += IS_OWN(cell) ? 0 : halo_count(cell);
#endif
        grid.first[cell] = n;
    }
    team_wait();
    for (uint32_t cell = 0; me == 0 && cell <= grid.cells; cell++) {
        uint32_t n = grid.first[cell];
        grid.first[cell] = at;
        at += n;
    }
    team_wait();
    for (uint32_t cell = begin_of(me); cell < end; cell++) {
        struct sorted *s = &grid.sorted[grid.first[cell]];
#ifdef RANKS
        if (!IS_OWN(cell))
            halo_copy(cell, s);
#endif
        for (const struct node *node = cells[cell]; node; node = node->next, s++) {
            memcpy(s->position, node->particle.position, sizeof(s->position));
            memcpy(s->velocity, node->particle.velocity, sizeof(s->velocity));
            s->moves = node->particle.id >= fluid.fixed;
        }
    }
    team_wait();
}

static void leave(struct leaving *l, struct node *node)
{
    if (l->count == l->room) {
        struct node **more = realloc(l->node, 2 * l->room * sizeof(struct node *));
        if (!more) {
            failed("memory", "no memory for particles between cells");
            _exit(1);
        }
        l->node = more;
        l->room *= 2;
    }
    l->node[l->count++] = node;
}

void layout_move(unsigned me)
{
    uint32_t end = begin_of(me + 1);
    leaving[me].count = 0;
    for (uint32_t cell = begin_of(me); cell < end; cell++) {
        uint32_t slot = grid.first[cell];
        for (struct node **at = &cells[cell]; *at; slot++) {
            struct node *node = *at;
            if (node->particle.id >= fluid.fixed) {
                struct particle p = node->particle;
                grid_advance(&p, grid.acceleration[slot]);
                node->particle = p;
            }
            if (grid_cell(node->particle.position) == cell) {
                at = &node->next;
            } else {
                *at = node->next;
                leave(&leaving[me], node);
            }
        }
    }
    team_wait();
    for (unsigned t = 0; t < grid.threads; t++)
        for (uint32_t i = 0; i < leaving[t].count; i++) {
            uint32_t cell = grid_cell(leaving[t].node[i]->particle.position);
            if (cell >= begin_of(me) && cell < end)
                insert(leaving[t].node[i]);
        }
}

const struct particle *layout_some(void)
{
    for (uint32_t cell = grid.cells / 2; cell < grid.cells; cell++)
        if (cells[cell])
            return &cells[cell]->particle;
    return &cells[0]->particle;
}

#ifdef REGIONS
static struct particle *image;

unsigned layout_regions(struct region out[MOST_REGIONS])
{
    image = malloc(fluid.count * sizeof(*image));
    out[0] = (struct region){image, fluid.count * sizeof(*image)};
    return image != NULL;
}

void layout_pack(void)
{
    struct particle *p = image;
    for (uint32_t cell = 0; cell < grid.cells; cell++)
        for (const struct node *node = cells[cell]; node; node = node->next)
            *p++ = node->particle;
}

bool layout_unpack(void)
{
    for (uint32_t i = 0; i < fluid.count; i++) {
        if (!add(&image[i]))
            return false;
    }
    return true;
}
#endif

#ifdef RANKS
/* Of a row along the second axis the k-th cell. */
static uint32_t cell_of(uint32_t row, uint32_t k)
{
    return (k / grid.size[0] * grid.size[1] + row) * grid.size[0] + k % grid.size[0];
}

uint32_t layout_send(struct particle *out, uint32_t from, uint32_t to)
{
    uint32_t n = 0;
    for (uint32_t row = from; row < to; row++)
        for (uint32_t k = 0; k < grid.size[0] * grid.size[2]; k++)
            for (const struct node *node = cells[cell_of(row, k)]; node; node = node->next)
                out[n++] = node->particle;
    return n;
}

void layout_give_away(void)
{
    for (uint32_t cell = 0; cell < grid.cells; cell++)
        while (cells[cell] && !ranks_is_mine(cell)) {
            struct node *node = cells[cell];
            halo_add(&node->particle);
            cells[cell] = node->next;
            free(node);
            fluid.count--;
        }
}

void layout_receive(const struct particle *p)
{
    if (!ranks_is_mine(grid_cell(p->position))) {
        halo_add(p);
    } else if (add(p)) {
        fluid.count++;
    } else {
        failed("memory", "no memory for particles of other ranks");
        _exit(1);
    }
}
#endif
