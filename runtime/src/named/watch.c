/*===- watch.c - which pages of large roots were written --------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "named/watch.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* For less the question costs more than the comparison. */
#define LEAST_BYTES (16u << 10)

/* Of linux/fs.h and linux/userfaultfd.h, 6.7. */
#ifndef UFFD_USER_MODE_ONLY
#define UFFD_USER_MODE_ONLY 1
#endif
#define WP_ASYNC (1u << 15)
#define SCAN_PROTECTS 1u
#define SCAN_CHECKS_WATCH 2u
#define IS_WRITTEN 2u
struct region {
    uint64_t start, end, categories;
};
struct scan {
    uint64_t size, flags, start, end, walk_end, regions, region_count, max_pages, inverted, mask,
        any_of, wanted;
};
#define SCAN _IOWR('f', 16, struct scan)

/* A page that is written costs a fault in each commit, as much as comparing so many. */
#define FAULT_PAGES 10u
#define LONGEST_PAUSE 1024u

/* They stay open: whoever has closed them may have opened others under their numbers. */
static int fault_fd = -1, map_fd = -1;

static bool open_descriptors(void)
{
    static bool is_tried;
    if (is_tried)
        return map_fd >= 0;
    is_tried = true;
    struct uffdio_api api = {.api = UFFD_API, .features = WP_ASYNC};
    fault_fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
    if (fault_fd >= 0 && ioctl(fault_fd, UFFDIO_API, &api) == 0)
        map_fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (map_fd < 0 && fault_fd >= 0)
        close(fault_fd);
    return map_fd >= 0;
}

static bool start(uint64_t from, uint64_t end)
{
    struct uffdio_register place = {.range = {from, end - from}, .mode = UFFDIO_REGISTER_MODE_WP};
    struct uffdio_writeprotect protect = {.range = {from, end - from},
                                          .mode = UFFDIO_WRITEPROTECT_MODE_WP};
    return open_descriptors() && ioctl(fault_fd, UFFDIO_REGISTER, &place) == 0 &&
           ioctl(fault_fd, UFFDIO_WRITEPROTECT, &protect) == 0;
}

/* What is found is protected again by the same call. When there are more regions than
 * fit, the rest is neither told nor protected. A number below 0: nothing is known. */
static int scan(uint64_t from, uint64_t end, struct region *region, unsigned count, uint64_t *known)
{
    struct scan scan = {.size = sizeof(scan),
                        .flags = SCAN_PROTECTS | SCAN_CHECKS_WATCH,
                        .start = from,
                        .end = end,
                        .regions = (uintptr_t)region,
                        .region_count = count,
                        .mask = IS_WRITTEN,
                        .wanted = IS_WRITTEN};
    int found = ioctl(map_fd, SCAN, &scan);
    *known = scan.walk_end;
    return found;
}

/* Often written, it is not asked about for a while. */
static void judge(struct nvmi_watch *watch, uint64_t written_bytes, uint64_t size_bytes)
{
    bool pays = written_bytes * FAULT_PAGES <= size_bytes;
    watch->pause = pays ? 0 : watch->pause ? 2 * watch->pause : 16;
    if (watch->pause > LONGEST_PAUSE)
        watch->pause = LONGEST_PAUSE;
    watch->skip = watch->pause;
}

static unsigned add(struct nvmi_part *part, unsigned count, size_t from, size_t end)
{
    if (from == end)
        return count;
    if (count && part[count - 1].end == from)
        part[count - 1].end = end;
    else
        part[count++] = (struct nvmi_part){from, end};
    return count;
}

/* The pages that it shares with other things are compared always. */
unsigned nvmi_watch_ask(struct nvmi_watch *watch, const void *place, size_t size_bytes,
                        struct nvmi_part part[NVMI_MAX_PARTS])
{
    part[0] = (struct nvmi_part){0, size_bytes};
    if (size_bytes < LEAST_BYTES || watch->state == NVMI_WATCH_NEVER)
        return 1;
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), base = (uintptr_t)place, known, written = 0;
    uint64_t from = (base + page - 1) / page * page, end = (base + size_bytes) / page * page;
    struct region region[NVMI_MAX_PARTS - 3];
    if (watch->state == NVMI_WATCH_NOT_YET) {
        watch->state = start(from, end) ? NVMI_WATCHED : NVMI_WATCH_NEVER;
        return 1;
    }
    if (watch->skip) {
        watch->skip--;
        return 1;
    }
    int found = scan(from, end, region, sizeof(region) / sizeof(region[0]), &known);
    if (found < 0) {
        watch->state = NVMI_WATCH_NEVER;
        return 1;
    }
    unsigned count = add(part, 0, 0, from - base);
    for (int i = 0; i < found; i++) {
        count = add(part, count, region[i].start - base, region[i].end - base);
        written += region[i].end - region[i].start;
    }
    judge(watch, written + end - known, end - from);
    count = add(part, count, known - base, end - base);
    return add(part, count, end - base, size_bytes);
}
