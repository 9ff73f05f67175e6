/*===- memops.c - mem* and str* that announce their destination -------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "nvmove/nvm.h"
#include <stdlib.h>
#include <string.h>

void *nvm_memcpy(void *dst, const void *src, size_t n)
{
    return memcpy(nvm_store(dst, n), src, n);
}

void *nvm_memmove(void *dst, const void *src, size_t n)
{
    return memmove(nvm_store(dst, n), src, n);
}

void *nvm_memset(void *dst, int c, size_t n)
{
    return memset(nvm_store(dst, n), c, n);
}

void nvm_bzero(void *dst, size_t n)
{
    nvm_memset(dst, 0, n);
}

void nvm_bcopy(const void *src, void *dst, size_t n)
{
    nvm_memmove(dst, src, n);
}

void *nvm_mempcpy(void *dst, const void *src, size_t n)
{
    return (char *)nvm_memcpy(dst, src, n) + n;
}

char *nvm_strcpy(char *dst, const char *src)
{
    size_t n = strlen(src) + 1;
    return memcpy(nvm_store(dst, n), src, n);
}

char *nvm_stpcpy(char *dst, const char *src)
{
    size_t length = strlen(src);
    memcpy(nvm_store(dst, length + 1), src, length + 1);
    return dst + length;
}

/* Ends the part that begins at `s`, and gives it back. Behind the last one the
 * rest is empty if it `stays`, else null. */
static char *part(char *s, const char *separators, char **rest, int stays)
{
    char *end = s + strcspn(s, separators);
    *(char **)nvm_store(rest, sizeof(*rest)) = *end ? end + 1 : stays ? end : NULL;
    if (*end)
        *(char *)nvm_store(end, 1) = 0;
    return s;
}

char *nvm_strtok_r(char *s, const char *separators, char **rest)
{
    s = s ? s : *rest;
    s = s ? s + strspn(s, separators) : s;
    if (s && *s)
        return part(s, separators, rest, 1);
    *(char **)nvm_store(rest, sizeof(*rest)) = s;
    return NULL;
}

char *nvm_strtok(char *s, const char *separators)
{
    static char *rest; /* as in libc: one for all threads */
    return nvm_strtok_r(s, separators, &rest);
}

char *nvm_strsep(char **rest, const char *separators)
{
    return *rest ? part(*rest, separators, rest, 0) : NULL;
}

/* As strncpy: fills up with zeros. */
char *nvm_strncpy(char *dst, const char *src, size_t n)
{
    size_t length = strnlen(src, n);
    nvm_store(dst, n);
    memcpy(dst, src, length);
    memset(dst + length, 0, n - length);
    return dst;
}

char *nvm_strcat(char *dst, const char *src)
{
    nvm_strcpy(dst + strlen(dst), src);
    return dst;
}

char *nvm_strncat(char *dst, const char *src, size_t n)
{
    size_t length = strnlen(src, n);
    char *end = dst + strlen(dst);
    nvm_store(end, length + 1);
    memcpy(end, src, length);
    end[length] = 0;
    return dst;
}

void nvm_qsort(void *base, size_t n, size_t size_bytes, int (*compare)(const void *, const void *))
{
    qsort(nvm_store(base, n * size_bytes), n, size_bytes, compare);
}
