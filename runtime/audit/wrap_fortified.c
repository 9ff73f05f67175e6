/*===- wrap_fortified.c - the same for objects compiled with _FORTIFY_SOURCE ===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Such objects call __NAME_chk, which also checks the room at the destination;
 * libraries that come with a distribution are compiled so. Their calls of printf
 * come with the number of variants that libc has.
 */
#define _GNU_SOURCE
#include "intercept.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>

/* Not declared by any header. */
#define FORTIFIED(result, name, ...)                                                               \
    result __real_##name(__VA_ARGS__);                                                             \
    result __wrap_##name(__VA_ARGS__)
FORTIFIED(void *, __memcpy_chk, void *, const void *, size_t, size_t);
FORTIFIED(void *, __memmove_chk, void *, const void *, size_t, size_t);
FORTIFIED(void *, __mempcpy_chk, void *, const void *, size_t, size_t);
FORTIFIED(void *, __memset_chk, void *, int, size_t, size_t);
FORTIFIED(char *, __strcpy_chk, char *, const char *, size_t);
FORTIFIED(char *, __stpcpy_chk, char *, const char *, size_t);
FORTIFIED(char *, __strcat_chk, char *, const char *, size_t);
FORTIFIED(char *, __strncpy_chk, char *, const char *, size_t, size_t);
FORTIFIED(char *, __strncat_chk, char *, const char *, size_t, size_t);
FORTIFIED(int, __vsprintf_chk, char *, int, size_t, const char *, va_list);
FORTIFIED(int, __vsnprintf_chk, char *, size_t, int, size_t, const char *, va_list);
int __wrap___sprintf_chk(char *, int, size_t, const char *, ...);
int __wrap___snprintf_chk(char *, size_t, int, size_t, const char *, ...);
FORTIFIED(ssize_t, __read_chk, int, void *, size_t, size_t);
FORTIFIED(ssize_t, __pread_chk, int, void *, size_t, off_t, size_t);
FORTIFIED(ssize_t, __pread64_chk, int, void *, size_t, off64_t, size_t);
FORTIFIED(ssize_t, __recv_chk, int, void *, size_t, size_t, int);
FORTIFIED(size_t, __fread_chk, void *, size_t, size_t, size_t, FILE *);
FORTIFIED(char *, __fgets_chk, char *, size_t, int, FILE *);

void *__wrap___memcpy_chk(void *dst, const void *src, size_t n, size_t room)
{
    return __real___memcpy_chk(to(dst, n, CALLER), src, n, room);
}

void *__wrap___memmove_chk(void *dst, const void *src, size_t n, size_t room)
{
    return __real___memmove_chk(to(dst, n, CALLER), src, n, room);
}

void *__wrap___mempcpy_chk(void *dst, const void *src, size_t n, size_t room)
{
    return __real___mempcpy_chk(to(dst, n, CALLER), src, n, room);
}

void *__wrap___memset_chk(void *dst, int c, size_t n, size_t room)
{
    return __real___memset_chk(to(dst, n, CALLER), c, n, room);
}

char *__wrap___strcpy_chk(char *dst, const char *src, size_t room)
{
    return __real___strcpy_chk(to(dst, strlen(src) + 1, CALLER), src, room);
}

char *__wrap___stpcpy_chk(char *dst, const char *src, size_t room)
{
    return __real___stpcpy_chk(to(dst, strlen(src) + 1, CALLER), src, room);
}

char *__wrap___strcat_chk(char *dst, const char *src, size_t room)
{
    to(dst + strlen(dst), strlen(src) + 1, CALLER);
    return __real___strcat_chk(dst, src, room);
}

char *__wrap___strncpy_chk(char *dst, const char *src, size_t n, size_t room)
{
    return __real___strncpy_chk(to(dst, n, CALLER), src, n, room);
}

char *__wrap___strncat_chk(char *dst, const char *src, size_t n, size_t room)
{
    to(dst + strlen(dst), strnlen(src, n) + 1, CALLER);
    return __real___strncat_chk(dst, src, n, room);
}

static void announce_print(char *buf, size_t n, const char *format, va_list ap, const void *caller)
{
    va_list copy;
    if (!in_heap(buf) || n == 0)
        return;
    va_copy(copy, ap);
    int length = vsnprintf(NULL, 0, format, copy);
    va_end(copy);
    if (length >= 0)
        to(buf, (size_t)length < n ? (size_t)length + 1 : n, caller);
}

int __wrap___vsprintf_chk(char *buf, int level, size_t room, const char *format, va_list ap)
{
    announce_print(buf, room, format, ap, CALLER);
    return __real___vsprintf_chk(buf, level, room, format, ap);
}

int __wrap___vsnprintf_chk(char *buf, size_t n, int level, size_t room, const char *format,
                           va_list ap)
{
    announce_print(buf, n, format, ap, CALLER);
    return __real___vsnprintf_chk(buf, n, level, room, format, ap);
}

int __wrap___sprintf_chk(char *buf, int level, size_t room, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    announce_print(buf, room, format, ap, CALLER);
    int length = __real___vsprintf_chk(buf, level, room, format, ap);
    va_end(ap);
    return length;
}

int __wrap___snprintf_chk(char *buf, size_t n, int level, size_t room, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    announce_print(buf, n, format, ap, CALLER);
    int length = __real___vsnprintf_chk(buf, n, level, room, format, ap);
    va_end(ap);
    return length;
}

/* As a bound: what arrives is unknown before. */
ssize_t __wrap___read_chk(int fd, void *p, size_t n, size_t room)
{
    return __real___read_chk(fd, to(p, n, CALLER), n, room);
}

ssize_t __wrap___pread_chk(int fd, void *p, size_t n, off_t offset, size_t room)
{
    return __real___pread_chk(fd, to(p, n, CALLER), n, offset, room);
}

ssize_t __wrap___pread64_chk(int fd, void *p, size_t n, off64_t offset, size_t room)
{
    return __real___pread64_chk(fd, to(p, n, CALLER), n, offset, room);
}

ssize_t __wrap___recv_chk(int fd, void *p, size_t n, size_t room, int flags)
{
    return __real___recv_chk(fd, to(p, n, CALLER), n, room, flags);
}

size_t __wrap___fread_chk(void *p, size_t room, size_t item_bytes, size_t n, FILE *file)
{
    return __real___fread_chk(to(p, item_bytes * n, CALLER), room, item_bytes, n, file);
}

char *__wrap___fgets_chk(char *p, size_t room, int n, FILE *file)
{
    return __real___fgets_chk(to(p, n > 0 ? (size_t)n : 0, CALLER), room, n, file);
}
