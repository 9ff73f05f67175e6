/*===- media.c - media that are not there, and counts of what is written ----===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "media.h"
#include "error.h"
#include "persist.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LINE_BYTES 64u
#define LINE_BITS 512u

/* Latencies as NVMovE emulates them (flush 40 ns, commit 200 and 500 ns); energy
 * as counted for memory-style storage: 1.02 pJ a bit into the row buffer and 2.89
 * from there into the array. */
static const struct nvmi_media known[] = {
    {"dram", 0, 0, 0, 1.02},
    {"stt-ram", 100, 40, 200, 3.91},
    {"pcm", 300, 40, 500, 3.91},
};

struct nvmi_media nvmi_media;
struct nvmi_media_counts nvmi_media_counts;

static int parse_word(const char *text, struct nvmi_media *media, const char **end)
{
    static const char *const names[] = {"write=", "flush=", "fence=", "energy="};
    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        size_t length = strlen(names[i]);
        if (strncmp(text, names[i], length) != 0)
            continue;
        char *after;
        double value = strtod(text + length, &after);
        if (after == text + length || !(value >= 0 && value <= 1e9))
            return -1;
        *end = after;
        if (i == 3)
            media->energy_pj = value;
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
    if (!text || !*text || strcmp(text, "none") == 0)
        return 0;
    for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (strcmp(known[i].name, text) == 0) {
            nvmi_media = known[i];
            return 0;
        }
    struct nvmi_media media = {.name = text, .energy_pj = known[0].energy_pj};
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
                     "NVM_MEDIA=%.60s is neither none, dram, stt-ram, pcm nor "
                     "write=NS,flush=NS,fence=NS,energy=PJ",
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

static void spin(uint64_t ns)
{
    if (!ns)
        return;
    for (uint64_t end = now_ns() + ns; now_ns() < end;)
        ;
}

static void wrote(size_t lines)
{
    nvmi_media_counts.lines_written += lines;
    spin(lines * nvmi_media.write_ns);
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

static void fence(void)
{
    real->fence();
    nvmi_media_counts.fences++;
    spin(nvmi_media.fence_ns);
}

static int sync_medium(void)
{
    return real->sync();
}

static void flush(const void *p, size_t size_bytes)
{
    uintptr_t first = (uintptr_t)p / LINE_BYTES, end = (uintptr_t)p + size_bytes;
    size_t lines = (end + LINE_BYTES - 1) / LINE_BYTES - first;
    real->flush(p, size_bytes);
    nvmi_media_counts.lines_flushed += lines;
    spin(lines * (nvmi_media.write_ns + nvmi_media.flush_ns));
}

static const struct nvmi_persist counted = {copy, gather, scatter, zero, fence, sync_medium, flush};

void nvmi_media_install(void)
{
    const char *stats = getenv("NVM_STATS");
    bool counts = stats && *stats && *stats != '0';
    nvmi_media_counts = (struct nvmi_media_counts){0};
    /* Where every wait is one for a disk, there is nothing to emulate. */
    if (nvmi_media.name && nvmi_persist != &nvmi_persist_disk)
        nvmi_persist = &nvmi_persist_dax;
    real = nvmi_persist;
    /* Neither costs anything unless it is asked for. */
    if (counts || nvmi_media.write_ns || nvmi_media.flush_ns || nvmi_media.fence_ns)
        nvmi_persist = &counted;
}

void nvmi_media_remove(void)
{
    if (nvmi_persist == &counted)
        nvmi_persist = real;
}

uint64_t nvmi_media_energy_nj(void)
{
    uint64_t lines = nvmi_media_counts.lines_written + nvmi_media_counts.lines_flushed;
    double pj = nvmi_media.name ? nvmi_media.energy_pj : known[0].energy_pj;
    return (uint64_t)((double)lines * LINE_BITS * pj / 1000);
}
