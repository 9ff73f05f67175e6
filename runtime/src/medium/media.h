/*===- media.h - media that are not there, and counts of what is written ----===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * NVM_MEDIA=dram | stt-ram | pcm | write=NS,flush=NS,fence=NS,energy=PJ,read-energy=PJ
 * runs the engine as on a medium with flush on fail: with the processor's flushes
 * and fences, and delays after them, which the time-stamp counter ends. It says
 * what that would cost; what a commit survives stays what the real medium gives.
 * Reads are counted and not delayed: it is unknown which reads a cache would answer.
 */
#ifndef NVMOVE_SRC_MEDIA_H
#define NVMOVE_SRC_MEDIA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nvmi_media {
    const char *name;
    uint64_t write_ns; /* a line that is written past the cache, or flushed */
    uint64_t flush_ns; /* the instruction that flushes */
    uint64_t fence_ns;
    double energy_pj, read_energy_pj; /* to write one bit, to read one */
};

/* Of the environment: 0, or EINVAL [media]. Afterwards nvmi_media.name is NULL
 * when none was asked for. */
int nvmi_media_read(void);
extern struct nvmi_media nvmi_media;

/* Puts counts, and if one was asked for the emulated medium, before the table in
 * use. */
void nvmi_media_install(void);
void nvmi_media_remove(void);
struct nvmi_media_counts {
    uint64_t lines_written, lines_flushed, fences, lines_read;
};
extern struct nvmi_media_counts nvmi_media_counts;
/* The engine has read so many bytes back from the medium. */
static inline void nvmi_media_was_read(uint64_t size_bytes)
{
    __atomic_fetch_add(&nvmi_media_counts.lines_read, (size_bytes + 63) / 64, __ATOMIC_RELAXED);
}
/* A library has flushed these bytes, or waited for that, past the table. */
void nvmi_media_flushed(const void *p, size_t size_bytes);
void nvmi_media_fenced(void);
/* NVM_STATS=1: what costs more to count is counted, too. */
bool nvmi_stats_wanted(void);
/* To the delays, and by the clock; for the bench that compares them. */
void nvmi_media_spin(uint64_t ns);
uint64_t nvmi_media_energy_nj(void);

#endif /* NVMOVE_SRC_MEDIA_H */
