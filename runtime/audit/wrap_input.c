/*===- wrap_input.c - functions that read into a buffer -------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Into the heap by way of a buffer: only what arrived is announced.
 */
#define _GNU_SOURCE
#include "intercept.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

WRAPS(read);
WRAPS(pread);
WRAPS(pread64);
WRAPS(recv);
WRAPS(recvfrom);
WRAPS(fread);
WRAPS(fread_unlocked);
WRAPS(fgets);
WRAPS(fgets_unlocked);
WRAPS(getcwd);
WRAPS(gethostname);
WRAPS(getdomainname);
WRAPS(msgrcv);
WRAPS(readlink);
WRAPS(getrandom);
WRAPS(getentropy);

/* Of the C library since glibc 2.36; elsewhere of the program, if of anyone. */
void __wrap_arc4random_buf(void *p, size_t n);
#if defined __GLIBC__ && __GLIBC_PREREQ(2, 36)
void __real_arc4random_buf(void *p, size_t n);
#else
void __real_arc4random_buf(void *p, size_t n) __attribute__((weak));
#endif

/* A buffer for what is to arrive in `n` bytes at p: p itself outside the heap.
 * NULL: no memory. */
static void *bounce(void *p, size_t n)
{
    return in_heap(p) ? malloc(n ? n : 1) : p;
}

/* Moves what arrived; gives back `result`, and leaves errno alone. */
static ssize_t land(void *p, void *b, size_t n, ssize_t result, const void *caller)
{
    int error = errno;
    if (b == p)
        return result;
    if (result > 0)
        memcpy(to(p, n, caller), b, n);
    free(b);
    errno = error;
    return result;
}

static ssize_t landed(void *p, void *b, ssize_t n, const void *caller)
{
    return land(p, b, n > 0 ? (size_t)n : 0, n, caller);
}

ssize_t __wrap_read(int fd, void *p, size_t n)
{
    void *b = bounce(p, n);
    return b || !p ? landed(p, b, __real_read(fd, b, n), CALLER) : -1;
}

ssize_t __wrap_pread(int fd, void *p, size_t n, off_t offset)
{
    void *b = bounce(p, n);
    return b || !p ? landed(p, b, __real_pread(fd, b, n, offset), CALLER) : -1;
}

ssize_t __wrap_pread64(int fd, void *p, size_t n, off64_t offset)
{
    void *b = bounce(p, n);
    return b || !p ? landed(p, b, __real_pread64(fd, b, n, offset), CALLER) : -1;
}

/* With MSG_TRUNC the result is how much there was, which may be more than came. */
static size_t at_most(ssize_t got, size_t n)
{
    return got <= 0 ? 0 : (size_t)got < n ? (size_t)got : n;
}

ssize_t __wrap_recv(int fd, void *p, size_t n, int flags)
{
    void *b = bounce(p, n);
    if (!b && p)
        return -1;
    ssize_t got = __real_recv(fd, b, n, flags);
    return land(p, b, at_most(got, n), got, CALLER);
}

ssize_t __wrap_recvfrom(int fd, void *p, size_t n, int flags, struct sockaddr *from,
                        socklen_t *from_bytes)
{
    void *b = bounce(p, n);
    if (!b && p)
        return -1;
    if (from && from_bytes) {
        to(from, *from_bytes, CALLER);
        to(from_bytes, sizeof(*from_bytes), CALLER);
    }
    ssize_t got = __real_recvfrom(fd, b, n, flags, from, from_bytes);
    return land(p, b, at_most(got, n), got, CALLER);
}

/* What was read of a last, incomplete item belongs to the buffer, too. */
static size_t read_items(void *p, size_t item_bytes, size_t n, FILE *file,
                         size_t (*read_file)(void *, size_t, size_t, FILE *), const void *caller)
{
    size_t all;
    if (!in_heap(p) || __builtin_mul_overflow(item_bytes, n, &all) || all == 0)
        return read_file(p, item_bytes, n, file);
    char *b = malloc(all);
    if (!b)
        return 0;
    memcpy(b, p, all);
    size_t items = read_file(b, item_bytes, n, file);
    size_t bytes = items < n ? all : items * item_bytes;
    while (bytes > items * item_bytes && b[bytes - 1] == ((char *)p)[bytes - 1])
        bytes--; /* came from the buffer */
    land(p, b, bytes, 1, caller);
    return items;
}

size_t __wrap_fread(void *p, size_t item_bytes, size_t n, FILE *file)
{
    return read_items(p, item_bytes, n, file, __real_fread, CALLER);
}

size_t __wrap_fread_unlocked(void *p, size_t item_bytes, size_t n, FILE *file)
{
    return read_items(p, item_bytes, n, file, __real_fread_unlocked, CALLER);
}

static char *read_line(char *p, int n, FILE *file, char *(*get)(char *, int, FILE *),
                       const void *caller)
{
    if (!in_heap(p) || n <= 0)
        return get(p, n, file);
    char *b = malloc((size_t)n), *got = NULL;
    if (!b)
        return NULL;
    memset(b, 1, (size_t)n);
    if (get(b, n, file)) {
        /* The line may hold 0s; after its own last one the 1s are untouched. */
        const char *end = memrchr(b, 0, (size_t)n);
        land(p, b, (size_t)(end + 1 - b), 1, caller);
        return p;
    }
    free(b);
    return got;
}

char *__wrap_fgets(char *p, int n, FILE *file)
{
    return read_line(p, n, file, __real_fgets, CALLER);
}

char *__wrap_fgets_unlocked(char *p, int n, FILE *file)
{
    return read_line(p, n, file, __real_fgets_unlocked, CALLER);
}

char *__wrap_getcwd(char *p, size_t n)
{
    void *b = bounce(p, n);
    if (b == p)
        return __real_getcwd(p, n);
    char *text = b ? __real_getcwd(b, n) : NULL;
    return land(p, b, text ? strlen(text) + 1 : 0, text ? 1 : 0, CALLER) ? p : NULL;
}

static int name_lands(int (*ask)(char *, size_t), char *p, size_t n, const void *caller)
{
    void *b = bounce(p, n);
    if (b == p)
        return ask(p, n);
    int result = b ? ask(b, n) : -1;
    size_t bytes = result == 0 ? strnlen(b, n) : 0;
    land(p, b, bytes < n ? bytes + 1 : bytes, result == 0, caller);
    return result;
}

int __wrap_gethostname(char *p, size_t n)
{
    return name_lands(__real_gethostname, p, n, CALLER);
}

int __wrap_getdomainname(char *p, size_t n)
{
    return name_lands(__real_getdomainname, p, n, CALLER);
}

/* The type of the message stands before its text. */
ssize_t __wrap_msgrcv(int queue, void *p, size_t n, long type, int flags)
{
    void *b = bounce(p, sizeof(long) + n);
    if (!b && p)
        return -1;
    ssize_t got = __real_msgrcv(queue, b, n, type, flags);
    return land(p, b, sizeof(long) + at_most(got, n), got >= 0 ? got + 1 : got, CALLER) -
           (got >= 0);
}

ssize_t __wrap_readlink(const char *path, char *p, size_t n)
{
    void *b = bounce(p, n);
    return b || !p ? landed(p, b, __real_readlink(path, b, n), CALLER) : -1;
}

ssize_t __wrap_getrandom(void *p, size_t n, unsigned flags)
{
    void *b = bounce(p, n);
    return b || !p ? landed(p, b, __real_getrandom(b, n, flags), CALLER) : -1;
}

int __wrap_getentropy(void *p, size_t n)
{
    return __real_getentropy(to(p, n, CALLER), n);
}

void __wrap_arc4random_buf(void *p, size_t n)
{
    __real_arc4random_buf(to(p, n, CALLER), n);
}
