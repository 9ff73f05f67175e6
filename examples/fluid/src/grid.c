/*===- grid.c - the phases of a step ----------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _POSIX_C_SOURCE 200809L
#include "fluid.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PARTICLES_PER_M 204.0f
#define RADIUS_M (1.695f / PARTICLES_PER_M)
#define TWICE_DENSITY 2000.0f
#define MASS_KG (0.5f * TWICE_DENSITY / (PARTICLES_PER_M * PARTICLES_PER_M * PARTICLES_PER_M))
#define STIFFNESS 1.5f
#define VISCOSITY 0.4f
#define STEP_S 0.005f
#define WALL_M 0.0002f
#define WALL_STIFFNESS 30000.0f
#define WALL_DAMPING 128.0f
#define GRAVITY (-9.8f)
#define PI 3.14159265358979f
/* What a thread takes at a time. */
#define ROWS 8u

struct fluid fluid;
struct grid grid;

static atomic_uint next_rows;
static uint64_t pairs[MOST_THREADS][8]; /* a line of the cache each */

void grid_measure(void)
{
    grid.cells = 1;
    for (int d = 0; d < 3; d++) {
        grid.size[d] = (uint32_t)(fluid.box[d] / RADIUS_M) + 1;
        grid.cells *= grid.size[d];
    }
}

bool grid_make(unsigned threads)
{
    grid_measure();
    grid.threads = threads;
    grid.first = calloc((size_t)grid.cells + 1, sizeof(*grid.first));
    grid.sorted = calloc(fluid.total, sizeof(*grid.sorted));
    grid.acceleration = calloc(fluid.total, sizeof(*grid.acceleration));
    return grid.first && grid.sorted && grid.acceleration && layout_make(threads);
}

static uint32_t along(float position, uint32_t size)
{
    float at = position / RADIUS_M;
    if (!(at > 0))
        return 0;
    return at < (float)size ? (uint32_t)at : size - 1;
}

uint32_t grid_cell(const float position[3])
{
    uint32_t x = along(position[0], grid.size[0]), y = along(position[1], grid.size[1]);
    uint32_t z = along(position[2], grid.size[2]);
    return (z * grid.size[1] + y) * grid.size[0] + x;
}

/* The particles of the cells around (x, y, z): nine rows, each without a gap in `sorted`. */
struct around {
    uint32_t from, to;
};
static unsigned find_around(uint32_t x, uint32_t y, uint32_t z, struct around out[9])
{
    uint32_t left = x ? x - 1 : 0, right = x + 1 < grid.size[0] ? x + 1 : x;
    unsigned n = 0;
    for (uint32_t k = z ? z - 1 : 0; k <= z + 1 && k < grid.size[2]; k++)
        for (uint32_t j = y ? y - 1 : 0; j <= y + 1 && j < grid.size[1]; j++) {
            uint32_t row = (k * grid.size[1] + j) * grid.size[0];
            out[n].from = grid.first[row + left];
            out[n].to = grid.first[row + right + 1];
            n += out[n].from < out[n].to;
        }
    return n;
}

static float apart(const struct sorted *a, const struct sorted *b, float way[3])
{
    for (int d = 0; d < 3; d++)
        way[d] = a->position[d] - b->position[d];
    return way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
}

static void add_density(uint32_t i, const struct around *around, unsigned n)
{
    const float h = RADIUS_M * RADIUS_M;
    struct sorted *p = &grid.sorted[i];
    float sum = 0, way[3];
    for (unsigned k = 0; k < n; k++)
        for (uint32_t j = around[k].from; j < around[k].to; j++) {
            float rest = h - apart(p, &grid.sorted[j], way);
            if (rest > 0 && j != i)
                sum += rest * rest * rest;
        }
    const float most = h * h * h;
    p->density =
        (sum + most) * (MASS_KG * 315.0f / (64.0f * PI * most * RADIUS_M * RADIUS_M * RADIUS_M));
}

static uint64_t add_force(uint32_t i, const struct around *around, unsigned n)
{
    const float h = RADIUS_M * RADIUS_M, h6 = h * h * h;
    const float pressure = 3 * 15.0f / (2 * PI * h6) * STIFFNESS * MASS_KG;
    const float viscosity = VISCOSITY * 45.0f / (PI * h6) * MASS_KG;
    const struct sorted *p = &grid.sorted[i];
    float sum[3] = {0, 0, GRAVITY}, way[3];
    uint64_t near = 0;
    for (unsigned k = 0; p->moves && k < n; k++)
        for (uint32_t j = around[k].from; j < around[k].to; j++) {
            const struct sorted *q = &grid.sorted[j];
            float square = apart(p, q, way);
            if (!(square < h) || j == i)
                continue;
            near++;
            float distance = sqrtf(square > 1e-12f ? square : 1e-12f), rest = RADIUS_M - distance;
            float push =
                pressure * (rest * rest / distance) * (p->density + q->density - TWICE_DENSITY);
            float share = 1 / (p->density * q->density);
            for (int d = 0; d < 3; d++)
                sum[d] += (way[d] * push + (q->velocity[d] - p->velocity[d]) * (viscosity * rest)) *
                          share;
        }
    memcpy(grid.acceleration[i], sum, sizeof(sum));
    return near;
}

/* All particles of the rows that the thread gets. */
static uint64_t each_row(bool force)
{
    uint32_t rows = grid.size[1] * grid.size[2], row;
    struct around around[9];
    uint64_t near = 0;
    while ((row = atomic_fetch_add(&next_rows, ROWS)) < rows)
        for (uint32_t end = row + ROWS < rows ? row + ROWS : rows; row < end; row++)
            for (uint32_t x = 0; x < grid.size[0]; x++) {
                uint32_t cell = row * grid.size[0] + x;
                if (grid.first[cell] == grid.first[cell + 1])
                    continue;
                unsigned n = find_around(x, row % grid.size[1], row / grid.size[1], around);
                for (uint32_t i = grid.first[cell]; i < grid.first[cell + 1]; i++)
                    if (force)
                        near += add_force(i, around, n);
                    else
                        add_density(i, around, n);
            }
    return near;
}

void grid_advance(struct particle *p, const float acceleration[3])
{
    for (int d = 0; d < 3; d++) {
        float a = acceleration[d];
        float low = WALL_M - p->position[d], high = WALL_M - (fluid.box[d] - p->position[d]);
        if (low > 1e-10f)
            a += WALL_STIFFNESS * low - WALL_DAMPING * p->velocity[d];
        if (high > 1e-10f)
            a -= WALL_STIFFNESS * high + WALL_DAMPING * p->velocity[d];
        float half = p->half[d] + a * STEP_S;
        p->position[d] += half * STEP_S;
        p->velocity[d] = (p->half[d] + half) * 0.5f;
        p->half[d] = half;
    }
}

static void begin_rows(unsigned me)
{
    if (me == 0)
        atomic_store(&next_rows, 0);
    team_wait();
}

static double move_ms;

static double thread_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

void grid_step(unsigned me)
{
    layout_sort(me);
    begin_rows(me);
    each_row(false);
    team_wait();
    begin_rows(me);
    pairs[me][0] = each_row(true);
    team_wait();
    double begin = thread_ms();
    layout_move(me);
    if (me == 0)
        move_ms = thread_ms() - begin;
}

double grid_move_ms(void)
{
    return move_ms;
}

uint64_t grid_pairs(void)
{
    uint64_t sum = 0;
    for (unsigned t = 0; t < grid.threads; t++)
        sum += pairs[t][0];
    return sum;
}
