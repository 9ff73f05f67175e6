/*===- ranks.c - a slab of the fluid, among others --------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _POSIX_C_SOURCE 200809L
#include "ranks.h"
#include "state.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static unsigned rank, ranks = 1;
static uint32_t from, to; /* rows along the second axis */
static struct exchange *shared;

bool ranks_start(const char *which, const char *file)
{
    struct stat about;
    if (sscanf(which, "%u/%u", &rank, &ranks) != 2 || rank >= ranks)
        return failed("usage", "%s: RANK/RANKS is wanted", which);
    int fd = open(file, O_RDWR | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &about) != 0)
        return failed("ranks", "%s: %s", file, strerror(errno));
    void *memory = mmap(NULL, (size_t)about.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    shared = memory == MAP_FAILED ? NULL : memory;
    return shared || failed("ranks", "%s: %s", file, strerror(errno));
}

const char *ranks_measure(void)
{
    uint32_t rows = grid.size[1];
    from = rows * rank / ranks;
    to = rows * (rank + 1) / ranks;
    return ranks > 1 && rows / ranks < HALO + 1 ? "it is too narrow for so many ranks" : NULL;
}

bool ranks_are_several(void)
{
    return ranks > 1;
}

bool ranks_is_mine(uint32_t cell)
{
    uint32_t row = cell / grid.size[0] % grid.size[1];
    return row >= from && row < to;
}

static void receive(int side)
{
    const struct particle *p = exchange_receive(shared, (unsigned)side);
    for (uint32_t i = 0; i < shared->receive_count[side]; i++)
        layout_receive(&p[i]);
}

void ranks_exchange(void)
{
    const struct timespec moment = {.tv_nsec = 50000};
    if (!shared)
        return;
    uint64_t step = fluid.step + 1;
    struct sending *sending = &shared->sending[step % 2];
    sending->step = 0; /* until it is whole */
    if (rank > 0)
        sending->count[LOW] = layout_send(exchange_send(shared, step, LOW), 0, from + HALO);
    if (rank + 1 < ranks)
        sending->count[HIGH] =
            layout_send(exchange_send(shared, step, HIGH), to - HALO, grid.size[1]);
    sending->step = step;
    shared->sent = step;
    while (shared->received != step)
        nanosleep(&moment, NULL);
    halo_clear();
    layout_give_away();
    if (rank > 0)
        receive(LOW);
    if (rank + 1 < ranks)
        receive(HIGH);
    halo_order();
}

void ranks_done(void)
{
    if (!shared)
        return;
    shared->done = fluid.step;
    shared->is_ready = 1;
}
