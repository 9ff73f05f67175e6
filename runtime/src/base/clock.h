/*===- clock.h - milliseconds -----------------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_CLOCK_H
#define NVMOVE_SRC_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Of a monotonic clock. */
static inline uint64_t nvmi_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000u + (uint64_t)t.tv_nsec / 1000000u;
}

/* Less than a second. */
static inline void nvmi_pause_ms(unsigned ms)
{
    nanosleep(&(struct timespec){.tv_nsec = (long)ms * 1000000L}, NULL);
}

#endif /* NVMOVE_SRC_CLOCK_H */
