/*===- adopt.c - what the C library writes and allocates by itself ----------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "libc/adopt.h"
#include "base/error.h"
#include "base/pool.h"
#include "heap/heap.h"
#include "libc/alloc.h"
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

void *nvm_rest(const volatile void *p)
{
    struct nvmi_block block;
    void *at = (void *)p;
    if (nvmi_in_heap(at) && nvmi_heap_find(at, &block)) {
        const unsigned char *end = block.start + block.size_bytes;
        nvm_store(at, (unsigned long)(end - (const unsigned char *)at));
    }
    return at;
}

void *nvm_behind(const volatile void *p)
{
    void *at = (void *)p;
    if (at) {
        nvm_store(at, sizeof(void *));
        nvm_rest(*(void **)at);
    }
    return at;
}

static void *copy_in_heap(void *block, struct nvm_type *type)
{
    size_t size_bytes = malloc_usable_size(block);
    void *to = type ? nvm_alloc(type, size_bytes) : nvm_malloc(size_bytes);
    if (to)
        memcpy(nvm_store(to, size_bytes), block, size_bytes);
    free(block);
    return to;
}

void *nvm_adopt(void *block)
{
    return block && nvmi_placing() ? copy_in_heap(block, NULL) : block;
}

/* The places of blocks of the calls that are being evaluated, innermost last, each call's
 * behind an empty entry. */
#define OUT_DEPTH 64u
struct out {
    void **at;
    void *before; /* it gets this back if the call puts nothing there */
    bool lent;    /* it had a block of the heap */
};
static _Thread_local struct {
    struct out out[OUT_DEPTH];
    unsigned depth;
} outs;

static void push(struct out out)
{
    if (outs.depth == OUT_DEPTH)
        nvmi_bug("more than %u nested calls of NVM_OUT()", OUT_DEPTH);
    outs.out[outs.depth++] = out;
}

void nvmi_outs_left(void)
{
    outs.depth = 0;
}

void nvm_adopting(void)
{
    push((struct out){NULL, NULL, false});
}

void *nvm_out(const volatile void *p)
{
    void **at = (void **)p;
    if (at && nvmi_placing()) {
        nvm_store(at, sizeof(*at));
        push((struct out){at, *at, false});
        *at = NULL;
    } else if (at) {
        nvm_store(at, sizeof(*at));
    }
    return at;
}

void *nvm_in_out(const volatile void *p)
{
    void **at = (void **)p;
    if (!at)
        return NULL;
    nvm_store(at, sizeof(*at));
    bool lent = nvmi_in_heap(*at);
    if (lent) {
        size_t size_bytes = nvm_usable_size(*at);
        void *to = malloc(size_bytes);
        if (!to) /* the library would hand the heap's block to realloc() */
            nvmi_bug("no memory for a copy of %zu bytes", size_bytes);
        memcpy(to, *at, size_bytes);
        nvm_free(*at);
        *at = to;
    }
    if (lent || nvmi_placing())
        push((struct out){at, NULL, lent});
    return at;
}

long nvm_adopted(long result)
{
    struct out out;
    while (outs.depth > 0 && (out = outs.out[--outs.depth]).at) {
        void *block = *out.at;
        if (block && !nvmi_in_heap(block))
            block = copy_in_heap(block, nvmi_placing() ? NULL : &nvm_type_bytes);
        else if (!block)
            block = out.before;
        *(void **)nvm_store(out.at, sizeof(*out.at)) = block;
    }
    return result;
}
