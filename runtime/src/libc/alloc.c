/*===- alloc.c - the malloc family ------------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "libc/alloc.h"
#include "base/error.h"
#include "base/pool.h"
#include "commit/late_roots.h"
#include "heap/heap.h"
#include "heap/state.h"
#include "named/types.h"
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Types named by the NVM_ALLOC that are being evaluated, innermost last. Deeper
 * ones than fit count for the last that does. */
#define PLACE_DEPTH 32u
struct place {
    struct nvm_type *type;
    unsigned char *block; /* the last that was taken from the heap meanwhile */
    unsigned blocks;
};
static _Thread_local struct {
    struct place place[PLACE_DEPTH];
    unsigned depth;
} places;

void nvm_place(struct nvm_type *type)
{
    if (places.depth < PLACE_DEPTH)
        places.place[places.depth] = (struct place){type, NULL, 0};
    places.depth++;
}

/* What the program's wrapper gives back is where the object begins; what lies before
 * it in the block is the wrapper's. */
void *nvm_placed(const volatile void *result)
{
    if (places.depth == 0)
        nvmi_bug("nvm_placed() without nvm_place()");
    const struct place *place = &places.place[--places.depth % PLACE_DEPTH];
    if (places.depth < PLACE_DEPTH && place->blocks && result && nvmi_pool.open)
        nvmi_type_saw(place->type, place->blocks == 1 ? (uintptr_t)result - (uintptr_t)place->block
                                                      : NVMI_PREFIX_MIXED);
    return (void *)result;
}

/* The block that the call put somewhere, if it made one. */
long nvm_placed_out(long result)
{
    bool known = places.depth > 0 && places.depth <= PLACE_DEPTH;
    nvm_placed(known ? places.place[places.depth - 1].block : NULL);
    return result;
}

/* Of the allocation that is being made; NULL: it is one of DRAM. */
static struct place *innermost(void)
{
    if (__builtin_expect(places.depth == 0, 1) || !nvmi_pool.open)
        return NULL;
    return &places.place[places.depth <= PLACE_DEPTH ? places.depth - 1 : PLACE_DEPTH - 1];
}

static struct nvm_type *place(void)
{
    const struct place *p = innermost();
    return p ? p->type : NULL;
}

bool nvmi_placing(void)
{
    return place() != NULL;
}

void nvmi_places_left(void)
{
    places.depth = 0;
}

static void *took(void *block)
{
    struct place *p = innermost();
    if (p && block) {
        p->block = block;
        p->blocks++;
    }
    return block;
}

/* Beyond the requested size a typed block is zero, so that the number of records
 * in a root array is known from the block. */
static enum nvmi_zero zero_of(const struct nvm_type *type)
{
    return type == &nvm_type_bytes ? NVMI_ZERO_NONE : NVMI_ZERO_SLACK;
}

static void *from_heap(struct nvm_type *type, size_t size_bytes, enum nvmi_zero zero)
{
    void *p =
        size_bytes > PTRDIFF_MAX ? NULL : nvmi_heap_alloc(nvmi_type_id(type), size_bytes, zero);
    if (!p)
        errno = ENOMEM;
    return p;
}

static void *aligned_from_heap(struct nvm_type *type, size_t alignment, size_t size_bytes)
{
    void *p = size_bytes > PTRDIFF_MAX ? NULL
                                       : nvmi_heap_alloc_aligned(nvmi_type_id(type), alignment,
                                                                 size_bytes, zero_of(type));
    if (!p)
        errno = ENOMEM;
    return p;
}

void *nvm_malloc(size_t size_bytes)
{
    struct nvm_type *type = place();
    return type ? took(from_heap(type, size_bytes, zero_of(type))) : malloc(size_bytes);
}

void *nvm_calloc(size_t n, size_t size_bytes)
{
    struct nvm_type *type = place();
    size_t product;
    if (!type)
        return calloc(n, size_bytes);
    if (__builtin_mul_overflow(n, size_bytes, &product)) {
        errno = ENOMEM;
        return NULL;
    }
    return took(from_heap(type, product, NVMI_ZERO_ALL));
}

static void *direct(struct nvm_type *type, void *block)
{
    if (block)
        nvmi_type_saw(type, 0);
    return block;
}

void *nvm_alloc(struct nvm_type *type, size_t size_bytes)
{
    return nvmi_pool.open ? direct(type, from_heap(type, size_bytes, zero_of(type)))
                          : malloc(size_bytes);
}

void *nvm_zalloc(struct nvm_type *type, size_t size_bytes)
{
    return nvmi_pool.open ? direct(type, from_heap(type, size_bytes, NVMI_ZERO_ALL))
                          : calloc(1, size_bytes);
}

void nvm_free(void *p)
{
    if (!nvmi_in_heap(p)) {
        nvmi_roots_freed(p);
        free(p);
        return;
    }
    nvmi_heap_free(p);
}

/* A block of the heap: in place, else moved. */
static void *heap_realloc(void *p, size_t size_bytes)
{
    struct nvmi_block block;
    struct nvm_type *type = place();
    if (nvmi_heap_resize(p, size_bytes))
        return p;
    nvmi_heap_find(p, &block);
    unsigned id = type ? nvmi_type_id(type) : block.type;
    void *to = nvmi_heap_alloc(id, size_bytes, type ? zero_of(type) : NVMI_ZERO_NONE);
    if (to) {
        size_t n = block.size_bytes < size_bytes ? block.size_bytes : size_bytes;
        memcpy(nvm_store(to, n), p, n);
        nvmi_heap_free(p);
    }
    if (!to)
        errno = ENOMEM;
    return took(to);
}

/* A block of DRAM that is to live in the heap from now on. */
static void *move_to_heap(struct nvm_type *type, void *p, size_t size_bytes)
{
    size_t old = malloc_usable_size(p), n = old < size_bytes ? old : size_bytes;
    void *to = from_heap(type, size_bytes, zero_of(type));
    if (to) {
        memcpy(nvm_store(to, n), p, n);
        free(p);
    }
    return to;
}

void *nvm_realloc(void *p, size_t size_bytes)
{
    struct nvm_type *type = place();
    if (!p)
        return nvm_malloc(size_bytes);
    if (nvmi_in_heap(p)) {
        if (size_bytes > PTRDIFF_MAX) {
            errno = ENOMEM;
            return NULL;
        }
        if (size_bytes)
            return heap_realloc(p, size_bytes);
        nvm_free(p); /* as glibc does */
        return NULL;
    }
    return type && size_bytes ? took(move_to_heap(type, p, size_bytes)) : realloc(p, size_bytes);
}

void *nvm_reallocarray(void *p, size_t n, size_t size_bytes)
{
    size_t product;
    if (__builtin_mul_overflow(n, size_bytes, &product)) {
        errno = ENOMEM;
        return NULL;
    }
    return nvm_realloc(p, product);
}

void *nvm_memalign(size_t alignment, size_t size_bytes)
{
    struct nvm_type *type = place();
    if (!type)
        return memalign(alignment, size_bytes);
    size_t power = 1;
    while (power < alignment && power < NVM_PAGE_BYTES)
        power *= 2;          /* as glibc does */
    if (alignment > power) { /* more than the heap can promise */
        errno = ENOMEM;
        return NULL;
    }
    return took(aligned_from_heap(type, power, size_bytes));
}

void *nvm_aligned_alloc(size_t alignment, size_t size_bytes)
{
    if (!place())
        return aligned_alloc(alignment, size_bytes);
    if (alignment == 0 || alignment & (alignment - 1)) {
        errno = EINVAL;
        return NULL;
    }
    return nvm_memalign(alignment, size_bytes);
}

void *nvm_valloc(size_t size_bytes)
{
    return nvm_memalign(NVM_PAGE_BYTES, size_bytes);
}

static size_t whole_pages(size_t size_bytes)
{
    return (size_bytes + NVM_PAGE_BYTES - 1) / NVM_PAGE_BYTES * NVM_PAGE_BYTES;
}

void *nvm_pvalloc(size_t size_bytes)
{
    return nvm_valloc(whole_pages(size_bytes));
}

int nvm_posix_memalign(void **out, size_t alignment, size_t size_bytes)
{
    nvm_store(out, sizeof(*out));
    if (!place())
        return posix_memalign(out, alignment, size_bytes);
    if (alignment % sizeof(void *) || alignment == 0 || alignment & (alignment - 1))
        return EINVAL;
    int before = errno;
    void *p = nvm_memalign(alignment, size_bytes);
    errno = before;
    if (!p)
        return ENOMEM;
    *out = p;
    return 0;
}

/* Memory of the process alone, of no file: zero, in whole pages. */
void *nvm_mmap(void *at, size_t size_bytes, int protection, int flags, int fd, long offset)
{
    struct nvm_type *type = place();
    if (!type || !size_bytes || size_bytes > PTRDIFF_MAX || !(flags & MAP_ANONYMOUS) ||
        (flags & MAP_TYPE) != MAP_PRIVATE || (flags & MAP_FIXED) == MAP_FIXED ||
        !(protection & PROT_WRITE))
        return mmap(at, size_bytes, protection, flags, fd, offset);
    void *p = nvmi_heap_alloc_aligned(nvmi_type_id(type), NVM_PAGE_BYTES, whole_pages(size_bytes),
                                      NVMI_ZERO_ALL);
    if (p)
        return took(p);
    errno = ENOMEM;
    return MAP_FAILED;
}

/* A part of a block stays with it. */
int nvm_munmap(void *p, size_t size_bytes)
{
    struct nvmi_block block;
    if (!nvmi_in_heap(p))
        return munmap(p, size_bytes);
    if (nvmi_heap_find(p, &block) && block.start == p &&
        whole_pages(size_bytes) >= block.size_bytes)
        nvm_free(p);
    return 0;
}

void *nvm_mremap(void *p, size_t old_size_bytes, size_t size_bytes, int flags)
{
    struct nvmi_block block;
    if (!nvmi_in_heap(p))
        return mremap(p, old_size_bytes, size_bytes, flags);
    nvmi_heap_find(p, &block);
    if (size_bytes <= block.size_bytes)
        return p;
    void *to = flags & MREMAP_MAYMOVE
                   ? nvmi_heap_alloc_aligned(block.type, NVM_PAGE_BYTES, whole_pages(size_bytes),
                                             NVMI_ZERO_ALL)
                   : NULL;
    if (!to) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    memcpy(nvm_store(to, block.size_bytes), p, block.size_bytes);
    nvmi_heap_free(p);
    return took(to);
}

char *nvm_strdup(const char *s)
{
    return nvm_strndup(s, strlen(s));
}

char *nvm_strndup(const char *s, size_t n)
{
    size_t length = strnlen(s, n);
    char *copy = nvm_malloc(length + 1);
    if (copy) {
        nvm_store(copy, length + 1);
        memcpy(copy, s, length);
        copy[length] = 0;
    }
    return copy;
}

size_t nvm_usable_size(void *p)
{
    struct nvmi_block block;
    if (!nvmi_in_heap(p))
        return malloc_usable_size(p);
    if (!nvmi_heap_find(p, &block))
        nvmi_bug("usable size of %p, which is not in a block of the heap", p);
    return (size_t)(block.start + block.size_bytes - (unsigned char *)p);
}

int nvm_contains(const void *p)
{
    return nvmi_in_heap(p);
}
