/*===- make.c - the first state: a column of water above the ground ---------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * usage: fluid-make SIDE FILE. The column is SIDE particles wide, deep and high, and stands in
 * a box twice as wide. The ground is a quarter as thick.
 */
#include "state.h"
#include <stdlib.h>
#include <string.h>

#define PARTICLES_PER_M 204.0f

static uint64_t chance = 88172645463325252u;

/* A hundredth of the distance of particles, to either side. */
static float jitter(void)
{
    chance ^= chance << 13;
    chance ^= chance >> 7;
    chance ^= chance << 17;
    return ((float)(chance % 2001) - 1000) / (1000 * 100 * PARTICLES_PER_M);
}

static struct particle *fill(struct particle *p, const uint32_t size[3], uint32_t lowest,
                             const struct particle *first)
{
    for (uint32_t z = 0; z < size[2]; z++)
        for (uint32_t y = 0; y < size[1]; y++)
            for (uint32_t x = 0; x < size[0]; x++, p++) {
                const uint32_t at[3] = {x, y, lowest + z};
                for (int d = 0; d < 3; d++)
                    p->position[d] = ((float)at[d] + 0.5f) / PARTICLES_PER_M + jitter();
                p->id = (uint32_t)(p - first);
            }
    return p;
}

static bool write_state(FILE *out, struct state_head *head, const struct particle *p)
{
    bool is_done = fseek(out, HEAD_BYTES, SEEK_SET) == 0 &&
                   fwrite(p, sizeof(*p), head->count, out) == head->count;
    for (uint32_t done = 0, g = 0; done < head->count; done += GROUP, g++) {
        struct sum sum = {0};
        sum_add(&sum, p + done, head->count - done < GROUP ? head->count - done : GROUP);
        head->sums[g] = sum_end(&sum);
    }
    state_head_end(head);
    return is_done && fseek(out, 0, SEEK_SET) == 0 && fwrite(head, sizeof(*head), 1, out) == 1;
}

int main(int argc, char **argv)
{
    unsigned long side = argc == 3 ? strtoul(argv[1], NULL, 10) : 0;
    if (side < 2 || side > 600) {
        fprintf(stderr,
                "usage: fluid-make SIDE FILE: a column of SIDE (2 to 600) particles each way\n");
        return 2;
    }
    uint32_t n = (uint32_t)side, deep = (n + 3) / 4;
    const uint32_t ground[3] = {2 * n, n, deep}, column[3] = {n, n, n};
    struct state_head *head = calloc(1, sizeof(*head));
    size_t count = (size_t)n * n * (2 * deep + n);
    struct particle *p = calloc(count, sizeof(*p));
    FILE *out = fopen(argv[2], "wb");
    if (!head || !p || !out)
        return failed("save", "%s: it cannot be made", argv[2]), 1;
    head->count = head->total = (uint32_t)count;
    head->fixed = 2 * n * n * deep;
    head->box[0] = 2 * (float)n / PARTICLES_PER_M;
    head->box[1] = (float)n / PARTICLES_PER_M;
    head->box[2] = (float)(n + deep) * 1.25f / PARTICLES_PER_M;
    fill(fill(p, ground, 0, p), column, deep, p);
    bool is_done = write_state(out, head, p);
    if (fclose(out) != 0 || !is_done)
        return failed("save", "%s: it cannot be written", argv[2]), 1;
    free(p);
    free(head);
    return 0;
}
