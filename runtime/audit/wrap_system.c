/*===- wrap_system.c - functions that fill a record of known size ---------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "intercept.h"
#include <arpa/inet.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

WRAPS(time);
WRAPS(clock_gettime);
WRAPS(gmtime_r);
WRAPS(localtime_r);
WRAPS(stat);
WRAPS(lstat);
WRAPS(fstat);
WRAPS(fstatat);
WRAPS(pipe);
WRAPS(socketpair);
WRAPS(inet_pton);
WRAPS(inet_aton);
WRAPS(getsockopt);
WRAPS(poll);
WRAPS(epoll_wait);
/* glibc's declarations of these are not plain. */
int __real_gettimeofday(struct timeval *, void *), __wrap_gettimeofday(struct timeval *, void *);
int __real_accept(int, void *, socklen_t *), __wrap_accept(int, void *, socklen_t *);
int __real_getsockname(int, void *, socklen_t *), __wrap_getsockname(int, void *, socklen_t *);
int __real_getpeername(int, void *, socklen_t *), __wrap_getpeername(int, void *, socklen_t *);

time_t __wrap_time(time_t *t)
{
    return __real_time(to(t, sizeof(*t), CALLER));
}

int __wrap_gettimeofday(struct timeval *t, void *zone)
{
    return __real_gettimeofday(to(t, sizeof(*t), CALLER),
                               to(zone, sizeof(struct timezone), CALLER));
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *t)
{
    return __real_clock_gettime(clock, to(t, sizeof(*t), CALLER));
}

struct tm *__wrap_gmtime_r(const time_t *t, struct tm *tm)
{
    return __real_gmtime_r(t, to(tm, sizeof(*tm), CALLER));
}

struct tm *__wrap_localtime_r(const time_t *t, struct tm *tm)
{
    return __real_localtime_r(t, to(tm, sizeof(*tm), CALLER));
}

int __wrap_stat(const char *path, struct stat *s)
{
    return __real_stat(path, to(s, sizeof(*s), CALLER));
}

int __wrap_lstat(const char *path, struct stat *s)
{
    return __real_lstat(path, to(s, sizeof(*s), CALLER));
}

int __wrap_fstat(int fd, struct stat *s)
{
    return __real_fstat(fd, to(s, sizeof(*s), CALLER));
}

int __wrap_fstatat(int fd, const char *path, struct stat *s, int flags)
{
    return __real_fstatat(fd, path, to(s, sizeof(*s), CALLER), flags);
}

int __wrap_pipe(int fd[2])
{
    return __real_pipe(to(fd, 2 * sizeof(*fd), CALLER));
}

int __wrap_socketpair(int domain, int type, int protocol, int fd[2])
{
    return __real_socketpair(domain, type, protocol, to(fd, 2 * sizeof(*fd), CALLER));
}

int __wrap_inet_pton(int family, const char *text, void *address)
{
    return __real_inet_pton(family, text, to(address, family == AF_INET6 ? 16 : 4, CALLER));
}

int __wrap_inet_aton(const char *text, struct in_addr *address)
{
    return __real_inet_aton(text, to(address, sizeof(*address), CALLER));
}

/* A buffer with its size before, which becomes the size of what is in it. */
static void announce_sized(void *p, socklen_t *size_bytes, const void *caller)
{
    if (!p || !size_bytes)
        return;
    to(p, *size_bytes, caller);
    to(size_bytes, sizeof(*size_bytes), caller);
}

int __wrap_accept(int fd, void *address, socklen_t *size_bytes)
{
    announce_sized(address, size_bytes, CALLER);
    return __real_accept(fd, address, size_bytes);
}

int __wrap_getsockname(int fd, void *address, socklen_t *size_bytes)
{
    announce_sized(address, size_bytes, CALLER);
    return __real_getsockname(fd, address, size_bytes);
}

int __wrap_getpeername(int fd, void *address, socklen_t *size_bytes)
{
    announce_sized(address, size_bytes, CALLER);
    return __real_getpeername(fd, address, size_bytes);
}

int __wrap_getsockopt(int fd, int level, int option, void *value, socklen_t *size_bytes)
{
    announce_sized(value, size_bytes, CALLER);
    return __real_getsockopt(fd, level, option, value, size_bytes);
}

int __wrap_poll(struct pollfd *fds, nfds_t n, int timeout_ms)
{
    return __real_poll(to(fds, n * sizeof(*fds), CALLER), n, timeout_ms);
}

int __wrap_epoll_wait(int fd, struct epoll_event *events, int n, int timeout_ms)
{
    if (n > 0)
        to(events, (size_t)n * sizeof(*events), CALLER);
    return __real_epoll_wait(fd, events, n, timeout_ms);
}
