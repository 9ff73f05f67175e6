/*===- frozen.c - the heap as it was when a child was forked ----------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "forked/frozen.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/pool.h"
#include "threads/side_by_side.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of one page. The parent takes it from UNTOUCHED to KEPT, the child to COPIED; who comes
 * second finds the other's state. */
enum state { UNTOUCHED, KEEPING, KEPT, COPIED };

/* Of the whole: the child has its copy, or the parent has stopped to keep pages for it. */
enum outcome { OPEN, DONE, GIVEN_UP };

/* Shared by parent and child. Sparse: takes memory as pages are kept. */
struct nvmi_frozen {
    pid_t parent;
    enum outcome outcome;
    uint64_t pages;
    unsigned char page[]; /* as many bytes of state; from the next machine page on, the pages */
};

struct nvmi_frozen *nvmi_frozen;
static int copied[2] = {-1, -1}; /* the child closes it when it has its copy */
static ino_t copied_inode;       /* the program may have closed it, and opened another file */

static uint64_t head_bytes(uint64_t pages)
{
    uint64_t bytes = sizeof(struct nvmi_frozen) + pages;
    return (bytes + NVMI_MACHINE_PAGE_BYTES - 1) / NVMI_MACHINE_PAGE_BYTES *
           NVMI_MACHINE_PAGE_BYTES;
}

static uint64_t all_bytes(uint64_t pages)
{
    return head_bytes(pages) + pages * NVMI_MACHINE_PAGE_BYTES;
}

static unsigned char *kept(struct nvmi_frozen *f, uint64_t page)
{
    return (unsigned char *)f + head_bytes(f->pages) + page * NVMI_MACHINE_PAGE_BYTES;
}

static const unsigned char *in_heap(uint64_t page)
{
    return nvmi_pool.heap + page * NVMI_MACHINE_PAGE_BYTES;
}

static enum state state_of(const struct nvmi_frozen *f, uint64_t page)
{
    return (enum state)__atomic_load_n(&f->page[page], __ATOMIC_ACQUIRE);
}

static bool takes(struct nvmi_frozen *f, uint64_t page, enum state state)
{
    unsigned char untouched = UNTOUCHED;
    return __atomic_compare_exchange_n(&f->page[page], &untouched, (unsigned char)state, false,
                                       __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* What is announced already changes without a further word. */
static void keep_lines(const struct nvmi_lines *list)
{
    for (size_t i = 0; i < list->count; i++)
        nvmi_frozen_keep((uint64_t)list->number[i] * NVM_LINE_BYTES, NVM_LINE_BYTES);
}

static void end(void)
{
    struct nvmi_frozen *f = nvmi_frozen;
    if (!f)
        return;
    __atomic_store_n(&nvmi_frozen, NULL, __ATOMIC_RELEASE);
    munmap(f, all_bytes(f->pages));
}

/* A process in a namespace of its own does not see its parent's number. */
static bool parent_lives(const struct nvmi_frozen *f)
{
    pid_t parent = getppid();
    return parent == f->parent || parent == 0;
}

static _Noreturn void parent_has_gone(void)
{
    nvmi_die(NVMI_EXIT_FULL, "fork",
             "%s: the process has gone before this child of it had its copy", nvmi_pool.path);
}

/* False: the other had come first. */
static bool decides(struct nvmi_frozen *f, enum outcome outcome)
{
    enum outcome open = OPEN;
    return __atomic_compare_exchange_n(&f->outcome, &open, outcome, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE);
}

/* The pipe has ended: the child has its copy, or is gone. If the program has closed it, nobody
 * knows, and pages are kept until the next fork; a child without its copy then ends. */
static bool is_copied(bool waits)
{
    struct stat status;
    struct pollfd reading = {.fd = copied[0], .events = POLLIN};
    if (fstat(copied[0], &status) != 0 || status.st_ino != copied_inode) {
        if (waits)
            decides(nvmi_frozen, GIVEN_UP);
        return waits;
    }
    int ready;
    do
        ready = poll(&reading, 1, waits ? -1 : 0);
    while (ready < 0 && errno == EINTR);
    if (ready > 0)
        close(copied[0]);
    return ready > 0;
}

static void end_if_copied(bool waits)
{
    if (copied[0] < 0 || !is_copied(waits))
        return;
    copied[0] = -1;
    end();
}

void nvmi_frozen_poll(void)
{
    if (nvmi_frozen)
        end_if_copied(false);
}

void nvmi_frozen_wait(void)
{
    end_if_copied(true);
}

static void begin(struct nvmi_pool *pool)
{
    uint64_t pages = pool->header.arena_size_bytes / NVMI_MACHINE_PAGE_BYTES;
    struct nvmi_frozen *f = mmap(NULL, all_bytes(pages), PROT_READ | PROT_WRITE,
                                 MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (f == MAP_FAILED)
        return;
    f->parent = getpid();
    f->pages = pages;
    __atomic_store_n(&nvmi_frozen, f, __ATOMIC_RELEASE);
    keep_lines(&pool->changes.lines);
    for (const struct nvmi_beside *b = __atomic_load_n(&nvmi_all_beside, __ATOMIC_ACQUIRE); b;
         b = b->next)
        keep_lines(&b->lines);
    keep_lines(&pool->orphans);
    keep_lines(&pool->orphans_before);
}

void nvmi_frozen_begin(void)
{
    struct nvmi_pool *pool = &nvmi_pool;
    struct stat status;
    nvmi_frozen_wait();
    if (pipe2(copied, O_CLOEXEC) != 0 || fstat(copied[0], &status) != 0)
        nvmi_die(NVMI_EXIT_FULL, "fork", "%s: no pipe for a forked child: %s", pool->path,
                 strerror(errno));
    copied_inode = status.st_ino;
    if (!pool->unannounced)
        begin(pool);
}

void nvmi_frozen_in_parent(void)
{
    if (copied[1] < 0)
        return;
    close(copied[1]);
    copied[1] = -1;
    if (nvmi_frozen)
        madvise(nvmi_frozen, all_bytes(nvmi_frozen->pages), MADV_DONTFORK);
    else
        nvmi_frozen_wait();
}

void nvmi_frozen_in_child(void)
{
    if (nvmi_frozen && !(parent_lives(nvmi_frozen) && decides(nvmi_frozen, DONE)))
        parent_has_gone();
    end();
    close(copied[0]);
    close(copied[1]);
    copied[0] = copied[1] = -1;
}

void nvmi_frozen_keep(uint64_t offset, uint64_t size_bytes)
{
    struct nvmi_frozen *f = nvmi_frozen;
    if (size_bytes == 0)
        return;
    uint64_t last = (offset + size_bytes - 1) / NVMI_MACHINE_PAGE_BYTES;
    for (uint64_t page = offset / NVMI_MACHINE_PAGE_BYTES; page <= last && page < f->pages;
         page++) {
        if (takes(f, page, KEEPING)) {
            memcpy(kept(f, page), in_heap(page), NVMI_MACHINE_PAGE_BYTES);
            __atomic_store_n(&f->page[page], KEPT, __ATOMIC_RELEASE);
        }
        while (state_of(f, page) == KEEPING) /* another thread does */
            sched_yield();
    }
}

static void copy_kept(struct nvmi_frozen *f, unsigned char *to, uint64_t page)
{
    while (state_of(f, page) == KEEPING) {
        if (!parent_lives(f))
            parent_has_gone();
        sched_yield();
    }
    memcpy(to, kept(f, page), NVMI_MACHINE_PAGE_BYTES);
}

void nvmi_frozen_copy(unsigned char *to, uint64_t offset, uint64_t size_bytes)
{
    struct nvmi_frozen *f = nvmi_frozen;
    if (!f) {
        memcpy(to + offset, nvmi_pool.heap + offset, size_bytes);
        return;
    }
    uint64_t past = (offset + size_bytes + NVMI_MACHINE_PAGE_BYTES - 1) / NVMI_MACHINE_PAGE_BYTES;
    for (uint64_t page = offset / NVMI_MACHINE_PAGE_BYTES; page < past; page++) {
        unsigned char *place = to + page * NVMI_MACHINE_PAGE_BYTES;
        if (state_of(f, page) == COPIED) /* two ranges meet in it */
            continue;
        if (state_of(f, page) == UNTOUCHED) {
            memcpy(place, in_heap(page), NVMI_MACHINE_PAGE_BYTES);
            if (takes(f, page, COPIED))
                continue;
        }
        copy_kept(f, place, page);
    }
}
