/*===- pages_process.c - checkpoints of a whole process by protected pages --===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * What the moved interpreter is compared with: linked to the unmoved one, all its memory comes from
 * the file PAGES, and that is checkpointed every PAGES_MS milliseconds, at the end of the
 * interpreter's operation (0: of each), and before a line is printed. What a checkpoint costs is
 * all that this is for: nothing starts a process from one. Link with -Wl,--wrap=scheme_operation.
 */
#include "pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CLASSES = 48, SMALLEST = 16 };

static const size_t all_bytes = (size_t)64 << 20;

struct block {
    size_t class; /* its size: SMALLEST << class */
    struct block *next;
};

static char *room, *end;
static struct block *unused[CLASSES];

void *malloc(size_t size)
{
    size_t class = 0;
    while ((size_t)SMALLEST << class < size)
        class ++;
    struct block *b = unused[class];
    if (b) {
        unused[class] = b->next;
        return b + 1;
    }
    if (!room) {
        room = pages_open(getenv("PAGES"), all_bytes);
        end = room + all_bytes;
    }
    size_t bytes = sizeof(*b) + ((size_t)SMALLEST << class);
    if ((size_t)(end - room) < bytes)
        return NULL;
    b = (struct block *)room;
    room += bytes;
    b->class = class;
    return b + 1;
}

void free(void *p)
{
    if (!p)
        return;
    struct block *b = (struct block *)p - 1;
    b->next = unused[b->class];
    unused[b->class] = b;
}

void *calloc(size_t n, size_t size)
{
    void *p = malloc(n * size);
    return p ? memset(p, 0, n * size) : NULL;
}

void *realloc(void *p, size_t size)
{
    void *larger = malloc(size);
    if (p && larger) {
        size_t old = (size_t)SMALLEST << ((struct block *)p - 1)->class;
        memcpy(larger, p, old < size ? old : size);
        free(p);
    }
    return larger;
}

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void nvm_checkpoint(void)
{
    pages_checkpoint();
}

int __real_scheme_operation(void *scheme);

int __wrap_scheme_operation(void *scheme)
{
    static int64_t interval = -1, last;
    int more = __real_scheme_operation(scheme);
    if (interval < 0)
        interval = atol(getenv("PAGES_MS"));
    if (interval == 0 || now_ms() - last >= interval) {
        pages_checkpoint();
        last = interval ? now_ms() : 0;
    }
    return more;
}
