/*===- waits.c - where the program waits, and where libc allocates for it ---===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * These stand in front of libc's functions, for the program and for its libraries.
 */
#define _GNU_SOURCE
#include "observe.h"
#include <dlfcn.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

void nvmi_intercept(const void *p, size_t size_bytes, const void *caller);

#define CALLER __builtin_return_address(0)
/* libc's own, found when it is first called. */
#define NEXT(name)                                                                                 \
    static __typeof__(name) *next;                                                                 \
    if (!next)                                                                                     \
    next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

int poll(struct pollfd *fds, nfds_t n, int ms)
{
    NEXT(poll);
    nvmi_waits();
    return next(fds, n, ms);
}

int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *t, const sigset_t *mask)
{
    NEXT(ppoll);
    nvmi_waits();
    return next(fds, n, t, mask);
}

int select(int n, fd_set *r, fd_set *w, fd_set *e, struct timeval *t)
{
    NEXT(select);
    nvmi_waits();
    return next(n, r, w, e, t);
}

int pselect(int n, fd_set *r, fd_set *w, fd_set *e, const struct timespec *t, const sigset_t *mask)
{
    NEXT(pselect);
    nvmi_waits();
    return next(n, r, w, e, t, mask);
}

int epoll_wait(int fd, struct epoll_event *events, int n, int ms)
{
    NEXT(epoll_wait);
    nvmi_waits();
    return next(fd, events, n, ms);
}

int epoll_pwait(int fd, struct epoll_event *events, int n, int ms, const sigset_t *mask)
{
    NEXT(epoll_pwait);
    nvmi_waits();
    return next(fd, events, n, ms, mask);
}

int accept(int fd, struct sockaddr *address, socklen_t *bytes)
{
    NEXT(accept);
    nvmi_waits();
    return next(fd, address, bytes);
}

ssize_t read(int fd, void *p, size_t n)
{
    NEXT(read);
    if (fd == STDIN_FILENO)
        nvmi_waits();
    return next(fd, p, n);
}

char *fgets(char *line, int n, FILE *file)
{
    NEXT(fgets);
    if (file == stdin)
        nvmi_waits();
    return next(line, n, file);
}

size_t fread(void *p, size_t size_bytes, size_t n, FILE *file)
{
    NEXT(fread);
    if (file == stdin)
        nvmi_waits();
    return next(p, size_bytes, n, file);
}

ssize_t readv(int fd, const struct iovec *v, int count)
{
    NEXT(readv);
    for (int i = 0; i < count; i++)
        nvmi_intercept(v[i].iov_base, v[i].iov_len, CALLER);
    return next(fd, v, count);
}

/*===-- blocks that libc makes ----------------------------------------------===*/

/* The first of several such calls within each other counts. */
#define ALLOCATES(call)                                                                            \
    const void *before = nvmi_outer;                                                               \
    if (!before)                                                                                   \
        nvmi_outer = CALLER;                                                                       \
    __typeof__(call) result = (call);                                                              \
    nvmi_outer = before

char *(strdup)(const char *text)
{
    NEXT(strdup);
    ALLOCATES(next(text));
    if (result)
        nvmi_intercept(result, strlen(result) + 1, CALLER);
    return result;
}

char *(strndup)(const char *text, size_t n)
{
    NEXT(strndup);
    ALLOCATES(next(text, n));
    if (result)
        nvmi_intercept(result, strlen(result) + 1, CALLER);
    return result;
}

wchar_t *wcsdup(const wchar_t *text)
{
    NEXT(wcsdup);
    ALLOCATES(next(text));
    if (result)
        nvmi_intercept(result, (wcslen(result) + 1) * sizeof(wchar_t), CALLER);
    return result;
}

static ssize_t line_read(char **line, ssize_t got, const void *caller)
{
    if (got >= 0)
        nvmi_intercept(*line, (size_t)got + 1, caller);
    return got;
}

#undef getline
ssize_t getline(char **line, size_t *size_bytes, FILE *file)
{
    NEXT(getline);
    if (file == stdin)
        nvmi_waits();
    ALLOCATES(next(line, size_bytes, file));
    return line_read(line, result, CALLER);
}

ssize_t getdelim(char **line, size_t *size_bytes, int end, FILE *file)
{
    NEXT(getdelim);
    if (file == stdin)
        nvmi_waits();
    ALLOCATES(next(line, size_bytes, end, file));
    return line_read(line, result, CALLER);
}

int vasprintf(char **text, const char *format, va_list arguments)
{
    NEXT(vasprintf);
    ALLOCATES(next(text, format, arguments));
    if (result >= 0)
        nvmi_intercept(*text, (size_t)result + 1, CALLER);
    return result;
}

static int print(char **text, const char *format, va_list arguments, const void *caller)
{
    NEXT(vasprintf);
    const void *before = nvmi_outer;
    nvmi_outer = before ? before : caller;
    int n = next(text, format, arguments);
    nvmi_outer = before;
    if (n >= 0)
        nvmi_intercept(*text, (size_t)n + 1, caller);
    return n;
}

int asprintf(char **text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = print(text, format, arguments, CALLER);
    va_end(arguments);
    return n;
}

int __asprintf_chk(char **text, int flag, const char *format, ...);
int __asprintf_chk(char **text, int flag, const char *format, ...)
{
    va_list arguments;
    (void)flag;
    va_start(arguments, format);
    int n = print(text, format, arguments, CALLER);
    va_end(arguments);
    return n;
}

char *realpath(const char *name, char *into)
{
    NEXT(realpath);
    ALLOCATES(next(name, into));
    return result;
}
