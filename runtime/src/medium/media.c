/*===- media.c - media that are not there, and counts of what is written ----===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "medium/media.h"
#include "base/error.h"
#include "medium/persist.h"
#ifdef __x86_64__
#include <cpuid.h>
#endif
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LINE_BYTES 64u
#define LINE_BITS 512u

/* Latencies as NVMovE emulates them (flush 40 ns, commit 200 and 500 ns); energy
 * as counted for memory-style storage: 1.02 pJ a bit into the row buffer and 2.89
 * from there into the array; 1.00 from the array into the row buffer and 0.93 out
 * of it. */
static const struct nvmi_media known[] = {
    {"dram", 0, 0, 0, 1.02, 0.93},
    {"stt-ram", 100, 40, 200, 3.91, 1.93},
    {"pcm", 300, 40, 500, 3.91, 1.93},
};

struct nvmi_media nvmi_media;
struct nvmi_media_counts nvmi_media_counts;

static int parse_word(const char *text, struct nvmi_media *media, const char **end)
{
    static const char *const names[] = {"write=", "flush=", "fence=", "energy=", "read-energy="};
    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        size_t length = strlen(names[i]);
        if (strncmp(text, names[i], length) != 0)
            continue;
        char *after;
        double value = strtod(text + length, &after);
        if (after == text + length || !(value >= 0 && value <= 1e9))
            return -1;
        *end = after;
        if (i >= 3)
            *(i == 3 ? &media->energy_pj : &media->read_energy_pj) = value;
        else
            *(i == 0   ? &media->write_ns
              : i == 1 ? &media->flush_ns
                       : &media->fence_ns) = (uint64_t)value;
        return 0;
    }
    return -1;
}

int nvmi_media_read(void)
{
    const char *text = getenv("NVM_MEDIA");
    nvmi_media = (struct nvmi_media){0};
    nvmi_media_counts = (struct nvmi_media_counts){0};
    if (!text || !*text || strcmp(text, "none") == 0)
        return 0;
    for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (strcmp(known[i].name, text) == 0) {
            nvmi_media = known[i];
            return 0;
        }
    struct nvmi_media media = known[0];
    media.name = text;
    const char *at = text;
    while (parse_word(at, &media, &at) == 0) {
        if (!*at) {
            nvmi_media = media;
            return 0;
        }
        if (*at++ != ',')
            break;
    }
    return nvmi_fail(EINVAL, "media",
                     "NVM_MEDIA=%.60s is not none, dram, stt-ram, pcm or "
                     "write=NS,flush=NS,fence=NS,energy=PJ,read-energy=PJ",
                     text);
}

/*===-- The table -----------------------------------------------------------===*/

static const struct nvmi_persist *real;

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Reading the clock takes longer than the shortest delays; reading the counter does
 * not. Where there is none that runs at one speed, the clock serves. */
#ifdef __x86_64__
static uint64_t ticks(void)
{
    return __builtin_ia32_rdtsc();
}

static bool runs_evenly(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && d >> 8 & 1;
}
#else
static uint64_t ticks(void)
{
    return now_ns();
}

static bool runs_evenly(void)
{
    return false;
}
#endif

#define CALIBRATION_NS 2000000u
#define CALIBRATION_ROUNDS 10000u
static double ticks_per_ns;     /* 0: not known yet, or not even */
static uint64_t ticks_at_least; /* that a wait takes anyway */

static void wait_ticks(uint64_t count)
{
    for (uint64_t first = ticks(); ticks() - first < count;)
        ;
}

static void calibrate(void)
{
    if (ticks_per_ns > 0 || !runs_evenly())
        return;
    uint64_t ns = now_ns(), first = ticks(), passed = 0;
    while (passed < CALIBRATION_NS)
        passed = now_ns() - ns;
    ticks_per_ns = (double)(ticks() - first) / (double)passed;
    first = ticks();
    for (unsigned i = 0; i < CALIBRATION_ROUNDS; i++)
        wait_ticks(1);
    ticks_at_least = (ticks() - first) / CALIBRATION_ROUNDS;
}

void nvmi_media_spin(uint64_t ns)
{
    if (!ns)
        return;
    if (ticks_per_ns > 0) {
        uint64_t count = (uint64_t)((double)ns * ticks_per_ns);
        /* About half of what a wait takes anyway comes after it has ended. */
        wait_ticks(count > ticks_at_least / 2 ? count - ticks_at_least / 2 : 1);
    } else
        for (uint64_t end = now_ns() + ns; now_ns() < end;)
            ;
}

static void wrote(size_t lines)
{
    __atomic_fetch_add(&nvmi_media_counts.lines_written, lines, __ATOMIC_RELAXED);
    nvmi_media_spin(lines * nvmi_media.write_ns);
}

static void copy(void *dst, const void *src, size_t size_bytes)
{
    real->copy(dst, src, size_bytes);
    wrote(size_bytes / LINE_BYTES);
}

static uint32_t gather(uint32_t crc, void *dst, const unsigned char *base, const uint32_t *number,
                       size_t count)
{
    crc = real->gather(crc, dst, base, number, count);
    wrote(count);
    return crc;
}

static void scatter(unsigned char *base, const uint32_t *number, const void *src, size_t count)
{
    real->scatter(base, number, src, count);
    wrote(count);
}

static void zero(void *dst, size_t size_bytes)
{
    real->zero(dst, size_bytes);
    wrote(size_bytes / LINE_BYTES);
}

static void fenced(void)
{
    __atomic_fetch_add(&nvmi_media_counts.fences, 1, __ATOMIC_RELAXED);
    nvmi_media_spin(nvmi_media.fence_ns);
}

static void fence(void)
{
    real->fence();
    fenced();
}

static int sync_medium(const void *p, size_t size_bytes)
{
    return real->sync(p, size_bytes);
}

static void flushed(const void *p, size_t size_bytes)
{
    uintptr_t first = (uintptr_t)p / LINE_BYTES, end = (uintptr_t)p + size_bytes;
    size_t lines = (end + LINE_BYTES - 1) / LINE_BYTES - first;
    __atomic_fetch_add(&nvmi_media_counts.lines_flushed, lines, __ATOMIC_RELAXED);
    nvmi_media_spin(lines * (nvmi_media.write_ns + nvmi_media.flush_ns));
}

static void flush(const void *p, size_t size_bytes)
{
    real->flush(p, size_bytes);
    flushed(p, size_bytes);
}

static const struct nvmi_persist counted = {copy, gather, scatter, zero, fence, sync_medium, flush};

void nvmi_media_flushed(const void *p, size_t size_bytes)
{
    if (size_bytes && nvmi_persist == &counted)
        flushed(p, size_bytes);
}

void nvmi_media_fenced(void)
{
    if (nvmi_persist == &counted)
        fenced();
}

bool nvmi_stats_wanted(void)
{
    const char *wanted = getenv("NVM_STATS");
    return wanted && *wanted && *wanted != '0';
}

void nvmi_media_install(void)
{
    /* Where every wait is one for a disk, there is nothing to emulate. */
    if (nvmi_media.name && nvmi_persist != &nvmi_persist_disk)
        nvmi_persist = &nvmi_persist_dax;
    real = nvmi_persist;
    bool delays = nvmi_media.write_ns || nvmi_media.flush_ns || nvmi_media.fence_ns;
    if (delays)
        calibrate();
    /* Neither costs anything unless it is asked for. */
    if (delays || nvmi_stats_wanted())
        nvmi_persist = &counted;
}

void nvmi_media_remove(void)
{
    if (nvmi_persist == &counted)
        nvmi_persist = real;
}

uint64_t nvmi_media_energy_nj(void)
{
    const struct nvmi_media_counts *n = &nvmi_media_counts;
    uint64_t written = __atomic_load_n(&n->lines_written, __ATOMIC_RELAXED) +
                       __atomic_load_n(&n->lines_flushed, __ATOMIC_RELAXED);
    uint64_t read = __atomic_load_n(&n->lines_read, __ATOMIC_RELAXED);
    const struct nvmi_media *media = nvmi_media.name ? &nvmi_media : &known[0];
    double pj = (double)written * media->energy_pj + (double)read * media->read_energy_pj;
    return (uint64_t)(pj * LINE_BITS / 1000);
}
