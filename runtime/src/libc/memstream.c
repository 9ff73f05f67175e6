/*===- memstream.c - open_memstream() into a block of the heap --------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "base/pool.h"
#include "libc/alloc.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct memstream {
    char **text;
    size_t *size_bytes;
    char *block;
    size_t length, room, at;
};

/* What the program sees behind fflush() and fclose(). */
static void publish(struct memstream *m)
{
    *(char **)nvm_store(m->text, sizeof(*m->text)) = m->block;
    *(size_t *)nvm_store(m->size_bytes, sizeof(*m->size_bytes)) = m->at;
}

static bool make_room(struct memstream *m, size_t size_bytes)
{
    if (size_bytes <= m->room)
        return true;
    size_t room = m->room * 2 > size_bytes ? m->room * 2 : size_bytes;
    char *block = nvm_alloc(&nvm_type_bytes, room);
    if (!block)
        return false;
    nvm_store(block, room);
    memset(block, 0, room);
    memcpy(block, m->block ? m->block : "", m->length);
    if (m->block)
        nvm_free(m->block);
    m->block = block;
    m->room = room;
    return true;
}

static ssize_t put(void *cookie, const char *bytes, size_t n)
{
    struct memstream *m = cookie;
    if (!make_room(m, m->at + n + 1))
        return 0;
    memcpy(nvm_store(m->block + m->at, n), bytes, n);
    m->at += n;
    if (m->at > m->length) {
        m->length = m->at;
        *(char *)nvm_store(m->block + m->length, 1) = 0;
    }
    publish(m);
    return (ssize_t)n;
}

static int go(void *cookie, off64_t *offset, int whence)
{
    struct memstream *m = cookie;
    off64_t from = whence == SEEK_SET   ? 0
                   : whence == SEEK_CUR ? (off64_t)m->at
                                        : (off64_t)m->length;
    if (*offset + from < 0) {
        errno = EINVAL;
        return -1;
    }
    *offset += from;
    m->at = (size_t)*offset;
    return 0;
}

static int end(void *cookie)
{
    struct memstream *m = cookie;
    bool made = make_room(m, 1);
    if (made)
        publish(m);
    free(m);
    return made ? 0 : -1;
}

void *nvm_open_memstream(char **text, size_t *size_bytes)
{
    if (!nvmi_placing() && !nvmi_in_heap(text) && !nvmi_in_heap(size_bytes))
        return open_memstream(text, size_bytes);
    struct memstream *m = calloc(1, sizeof(*m));
    if (!m)
        return NULL;
    m->text = text;
    m->size_bytes = size_bytes;
    FILE *stream =
        fopencookie(m, "w", (cookie_io_functions_t){.write = put, .seek = go, .close = end});
    if (!stream)
        free(m);
    return stream;
}
