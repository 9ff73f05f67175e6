/*===- wrap_memory.c - mem*, wide mem*, sorting ---------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "intercept.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <wchar.h>

WRAPS(memcpy);
WRAPS(memmove);
WRAPS(memset);
WRAPS(mempcpy);
WRAPS(memccpy);
WRAPS(bcopy);
WRAPS(bzero);
WRAPS(explicit_bzero);
WRAPS(swab);
WRAPS(wmemcpy);
WRAPS(wmemmove);
WRAPS(wmempcpy);
WRAPS(wmemset);
WRAPS(qsort);
WRAPS(qsort_r);

void *__wrap_memcpy(void *dst, const void *src, size_t n)
{
    return __real_memcpy(to(dst, n, CALLER), src, n);
}

void *__wrap_memmove(void *dst, const void *src, size_t n)
{
    return __real_memmove(to(dst, n, CALLER), src, n);
}

void *__wrap_memset(void *dst, int c, size_t n)
{
    return __real_memset(to(dst, n, CALLER), c, n);
}

void *__wrap_mempcpy(void *dst, const void *src, size_t n)
{
    return __real_mempcpy(to(dst, n, CALLER), src, n);
}

void *__wrap_memccpy(void *dst, const void *src, int c, size_t n)
{
    if (in_heap(dst)) {
        const char *last = memchr(src, c, n);
        to(dst, last ? (size_t)(last + 1 - (const char *)src) : n, CALLER);
    }
    return __real_memccpy(dst, src, c, n);
}

void __wrap_bcopy(const void *src, void *dst, size_t n)
{
    __real_bcopy(src, to(dst, n, CALLER), n);
}

void __wrap_bzero(void *p, size_t n)
{
    __real_bzero(to(p, n, CALLER), n);
}

void __wrap_explicit_bzero(void *p, size_t n)
{
    __real_explicit_bzero(to(p, n, CALLER), n);
}

void __wrap_swab(const void *src, void *dst, ssize_t n)
{
    __real_swab(src, n > 1 ? to(dst, (size_t)n / 2 * 2, CALLER) : dst, n);
}

wchar_t *__wrap_wmemcpy(wchar_t *dst, const wchar_t *src, size_t n)
{
    return __real_wmemcpy(to(dst, n * sizeof(*dst), CALLER), src, n);
}

wchar_t *__wrap_wmemmove(wchar_t *dst, const wchar_t *src, size_t n)
{
    return __real_wmemmove(to(dst, n * sizeof(*dst), CALLER), src, n);
}

wchar_t *__wrap_wmempcpy(wchar_t *dst, const wchar_t *src, size_t n)
{
    return __real_wmempcpy(to(dst, n * sizeof(*dst), CALLER), src, n);
}

wchar_t *__wrap_wmemset(wchar_t *dst, wchar_t c, size_t n)
{
    return __real_wmemset(to(dst, n * sizeof(*dst), CALLER), c, n);
}

void __wrap_qsort(void *base, size_t n, size_t size_bytes,
                  int (*compare)(const void *, const void *))
{
    __real_qsort(to(base, n * size_bytes, CALLER), n, size_bytes, compare);
}

void __wrap_qsort_r(void *base, size_t n, size_t size_bytes,
                    int (*compare)(const void *, const void *, void *), void *argument)
{
    __real_qsort_r(to(base, n * size_bytes, CALLER), n, size_bytes, compare, argument);
}
