/*===- halo.c - particles of other ranks that act on those of this one ------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "ranks.h"
#include <stdlib.h>
#include <string.h>

static struct ghost {
    struct sorted copy;
    uint32_t cell, id;
} *ghosts;
static uint32_t count;
static uint32_t *first; /* of a cell's; one more than cells */

bool halo_make(void)
{
    ghosts = calloc(fluid.total, sizeof(*ghosts));
    first = calloc((size_t)grid.cells + 1, sizeof(*first));
    return ghosts && first;
}

void halo_clear(void)
{
    count = 0;
}

void halo_add(const struct particle *p)
{
    struct ghost *g = &ghosts[count++];
    memcpy(g->copy.position, p->position, sizeof(p->position));
    memcpy(g->copy.velocity, p->velocity, sizeof(p->velocity));
    g->cell = grid_cell(p->position);
    g->id = p->id;
}

static int compare(const void *a, const void *b)
{
    const struct ghost *x = a, *y = b;
    int cells = (x->cell > y->cell) - (x->cell < y->cell);
    return cells ? cells : (x->id > y->id) - (x->id < y->id);
}

void halo_order(void)
{
    qsort(ghosts, count, sizeof(*ghosts), compare);
    uint32_t at = 0;
    for (uint32_t cell = 0; cell <= grid.cells; cell++) {
        while (at < count && ghosts[at].cell < cell)
            at++;
        first[cell] = at;
    }
}

uint32_t halo_count(uint32_t cell)
{
    return first[cell + 1] - first[cell];
}

void halo_copy(uint32_t cell, struct sorted *to)
{
    for (uint32_t i = first[cell]; i < first[cell + 1]; i++)
        *to++ = ghosts[i].copy;
}
