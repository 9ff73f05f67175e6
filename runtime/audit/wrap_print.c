/*===- wrap_print.c - functions that print into a buffer ------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * How much they write is found out first, by printing to nowhere.
 */
#define _GNU_SOURCE
#include "intercept.h"
#include <arpa/inet.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

WRAPS(sprintf);
WRAPS(snprintf);
WRAPS(vsprintf);
WRAPS(vsnprintf);
WRAPS(strftime);
WRAPS(strftime_l);
WRAPS(asctime_r);
WRAPS(ctime_r);
WRAPS(inet_ntop);

static void announce_print(char *buf, size_t n, const char *format, va_list ap, const void *caller)
{
    va_list copy;
    if (!in_heap(buf) || n == 0)
        return;
    va_copy(copy, ap);
    int length = __real_vsnprintf(NULL, 0, format, copy);
    va_end(copy);
    if (length >= 0)
        to(buf, (size_t)length < n ? (size_t)length + 1 : n, caller);
}

static int print(char *buf, size_t n, const char *format, va_list ap, const void *caller)
{
    announce_print(buf, n, format, ap, caller);
    return __real_vsnprintf(buf, n, format, ap);
}

static int print_unbounded(char *buf, const char *format, va_list ap, const void *caller)
{
    announce_print(buf, SIZE_MAX, format, ap, caller);
    return __real_vsprintf(buf, format, ap);
}

int __wrap_vsnprintf(char *buf, size_t n, const char *format, va_list ap)
{
    return print(buf, n, format, ap, CALLER);
}

int __wrap_snprintf(char *buf, size_t n, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    int length = print(buf, n, format, ap, CALLER);
    va_end(ap);
    return length;
}

int __wrap_vsprintf(char *buf, const char *format, va_list ap)
{
    return print_unbounded(buf, format, ap, CALLER);
}

int __wrap_sprintf(char *buf, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    int length = print_unbounded(buf, format, ap, CALLER);
    va_end(ap);
    return length;
}

/* NULL: the program's own. */
static size_t put_time(char *buf, size_t n, const char *format, const struct tm *tm,
                       locale_t locale, const void *caller)
{
    char *to_fill = in_heap(buf) ? malloc(n ? n : 1) : buf;
    if (!to_fill)
        return 0;
    size_t length = locale ? __real_strftime_l(to_fill, n, format, tm, locale)
                           : __real_strftime(to_fill, n, format, tm);
    if (to_fill == buf)
        return length;
    if (length)
        memcpy(to(buf, length + 1, caller), to_fill, length + 1);
    free(to_fill);
    return length;
}

size_t __wrap_strftime(char *buf, size_t n, const char *format, const struct tm *tm)
{
    return put_time(buf, n, format, tm, NULL, CALLER);
}

size_t __wrap_strftime_l(char *buf, size_t n, const char *format, const struct tm *tm,
                         locale_t locale)
{
    return put_time(buf, n, format, tm, locale, CALLER);
}

/* At least 26 bytes, says POSIX; these are written. */
static char *put_string(char *buf, const char *text, const void *caller)
{
    size_t n = strlen(text) + 1;
    return memcpy(to(buf, n, caller), text, n);
}

char *__wrap_asctime_r(const struct tm *tm, char *buf)
{
    char text[64];
    return __real_asctime_r(tm, text) ? put_string(buf, text, CALLER) : NULL;
}

char *__wrap_ctime_r(const time_t *time, char *buf)
{
    char text[64];
    return __real_ctime_r(time, text) ? put_string(buf, text, CALLER) : NULL;
}

const char *__wrap_inet_ntop(int family, const void *address, char *buf, socklen_t n)
{
    char text[INET6_ADDRSTRLEN];
    if (!in_heap(buf) || !__real_inet_ntop(family, address, text, sizeof(text)) ||
        strlen(text) >= n)
        return __real_inet_ntop(family, address, buf,
                                n); /* fails without writing, or not the heap */
    return put_string(buf, text, CALLER);
}
