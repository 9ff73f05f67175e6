/*===- wrap_strings.c - str*, wide str* -----------------------------------===
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
#include <wchar.h>

WRAPS(strcpy);
WRAPS(strncpy);
WRAPS(stpcpy);
WRAPS(stpncpy);
WRAPS(strcat);
WRAPS(strncat);
WRAPS(strtok);
WRAPS(strtok_r);
WRAPS(strsep);
WRAPS(wcscpy);
WRAPS(wcsncpy);
WRAPS(wcscat);
WRAPS(wcsncat);
WRAPS(strtol);
WRAPS(strtoul);
WRAPS(strtoll);
WRAPS(strtoull);
WRAPS(strtod);
WRAPS(strtof);
WRAPS(strtold);

char *__wrap_strcpy(char *dst, const char *src)
{
    return __real_strcpy(in_heap(dst) ? to(dst, strlen(src) + 1, CALLER) : dst, src);
}

char *__wrap_strncpy(char *dst, const char *src, size_t n)
{
    return __real_strncpy(to(dst, n, CALLER), src, n);
}

char *__wrap_stpcpy(char *dst, const char *src)
{
    return __real_stpcpy(in_heap(dst) ? to(dst, strlen(src) + 1, CALLER) : dst, src);
}

char *__wrap_stpncpy(char *dst, const char *src, size_t n)
{
    return __real_stpncpy(to(dst, n, CALLER), src, n);
}

char *__wrap_strcat(char *dst, const char *src)
{
    if (in_heap(dst))
        to(dst + strlen(dst), strlen(src) + 1, CALLER);
    return __real_strcat(dst, src);
}

char *__wrap_strncat(char *dst, const char *src, size_t n)
{
    if (in_heap(dst))
        to(dst + strlen(dst), strnlen(src, n) + 1, CALLER);
    return __real_strncat(dst, src, n);
}

wchar_t *__wrap_wcscpy(wchar_t *dst, const wchar_t *src)
{
    if (in_heap(dst))
        to(dst, (wcslen(src) + 1) * sizeof(*dst), CALLER);
    return __real_wcscpy(dst, src);
}

wchar_t *__wrap_wcsncpy(wchar_t *dst, const wchar_t *src, size_t n)
{
    return __real_wcsncpy(to(dst, n * sizeof(*dst), CALLER), src, n);
}

wchar_t *__wrap_wcscat(wchar_t *dst, const wchar_t *src)
{
    if (in_heap(dst))
        to(dst + wcslen(dst), (wcslen(src) + 1) * sizeof(*dst), CALLER);
    return __real_wcscat(dst, src);
}

wchar_t *__wrap_wcsncat(wchar_t *dst, const wchar_t *src, size_t n)
{
    if (in_heap(dst))
        to(dst + wcslen(dst), (wcsnlen(src, n) + 1) * sizeof(*dst), CALLER);
    return __real_wcsncat(dst, src, n);
}

/* These write one 0 after a token that they find first, and the place where they
 * go on. Written out, because where they write is known only halfway. */
static char *token(char *s, const char *separators, char **rest, const void *caller)
{
    char *end = s + strcspn(s, separators);
    char *next = *end ? end + 1 : end;
    if (*end)
        *(char *)to(end, 1, caller) = 0;
    *(char **)to(rest, sizeof(*rest), caller) = next;
    return s;
}

static char *skip_token(char *s, const char *separators, char **rest, const void *caller)
{
    s = s ? s : *rest;
    s = s ? s + strspn(s, separators) : s;
    if (s && *s)
        return token(s, separators, rest, caller);
    *(char **)to(rest, sizeof(*rest), caller) = s;
    return NULL;
}

char *__wrap_strtok(char *s, const char *separators)
{
    static char *rest; /* as in libc: one for all threads */
    return skip_token(s, separators, &rest, CALLER);
}

char *__wrap_strtok_r(char *s, const char *separators, char **rest)
{
    return skip_token(s, separators, rest, CALLER);
}

char *__wrap_strsep(char **string, const char *separators)
{
    char *s = *string;
    if (!s)
        return NULL;
    if (s[strcspn(s, separators)])
        return token(s, separators, string, CALLER);
    *(char **)to(string, sizeof(*string), CALLER) = NULL;
    return s;
}

/* Conversions write where the number ends. */
long __wrap_strtol(const char *s, char **end, int base)
{
    return __real_strtol(s, to(end, sizeof(*end), CALLER), base);
}

unsigned long __wrap_strtoul(const char *s, char **end, int base)
{
    return __real_strtoul(s, to(end, sizeof(*end), CALLER), base);
}

long long __wrap_strtoll(const char *s, char **end, int base)
{
    return __real_strtoll(s, to(end, sizeof(*end), CALLER), base);
}

unsigned long long __wrap_strtoull(const char *s, char **end, int base)
{
    return __real_strtoull(s, to(end, sizeof(*end), CALLER), base);
}

double __wrap_strtod(const char *s, char **end)
{
    return __real_strtod(s, to(end, sizeof(*end), CALLER));
}

float __wrap_strtof(const char *s, char **end)
{
    return __real_strtof(s, to(end, sizeof(*end), CALLER));
}

long double __wrap_strtold(const char *s, char **end)
{
    return __real_strtold(s, to(end, sizeof(*end), CALLER));
}
