/*===- wrap_lines.c - input into several buffers, or into one that grows --===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "intercept.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

/* Declared here: the headers may turn getline() into this one. */
ssize_t __real_getline(char **, size_t *, FILE *), __wrap_getline(char **, size_t *, FILE *);
ssize_t __real_getdelim(char **, size_t *, int, FILE *),
    __wrap_getdelim(char **, size_t *, int, FILE *);
ssize_t __real___getdelim(char **, size_t *, int, FILE *),
    __wrap___getdelim(char **, size_t *, int, FILE *);
WRAPS(readv);
WRAPS(preadv);
WRAPS(recvmsg);
WRAPS(recvmmsg);

/* Several buffers are announced as a whole: how they fill up is the kernel's. */
static void announce_buffers(const struct iovec *v, size_t count, const void *caller)
{
    for (size_t i = 0; i < count; i++)
        to(v[i].iov_base, v[i].iov_len, caller);
}

ssize_t __wrap_readv(int fd, const struct iovec *v, int count)
{
    announce_buffers(v, count > 0 ? (size_t)count : 0, CALLER);
    return __real_readv(fd, v, count);
}

ssize_t __wrap_preadv(int fd, const struct iovec *v, int count, off_t offset)
{
    announce_buffers(v, count > 0 ? (size_t)count : 0, CALLER);
    return __real_preadv(fd, v, count, offset);
}

static void announce_message(struct msghdr *m, const void *caller)
{
    to(m, sizeof(*m), caller);
    to(m->msg_name, m->msg_namelen, caller);
    to(m->msg_control, m->msg_controllen, caller);
    announce_buffers(m->msg_iov, m->msg_iovlen, caller);
}

ssize_t __wrap_recvmsg(int fd, struct msghdr *m, int flags)
{
    announce_message(m, CALLER);
    return __real_recvmsg(fd, m, flags);
}

int __wrap_recvmmsg(int fd, struct mmsghdr *m, unsigned count, int flags, struct timespec *timeout)
{
    for (unsigned i = 0; i < count; i++) {
        announce_message(&m[i].msg_hdr, CALLER);
        to(&m[i].msg_len, sizeof(m[i].msg_len), CALLER);
    }
    return __real_recvmmsg(fd, m, count, flags, to(timeout, sizeof(*timeout), CALLER));
}

/* libc's realloc() must not see a block of the heap: the line is read into one of
 * its own, and the program's grows by nvm_realloc(). */
static ssize_t line_into_heap(char **line, size_t *size_bytes, int end, FILE *file,
                              const void *caller)
{
    char *own = NULL;
    size_t own_bytes = 0;
    ssize_t got = __real_getdelim(&own, &own_bytes, end, file);
    char *p = *line;
    size_t wanted = (size_t)(got + 1);
    if (got >= 0 && wanted > *size_bytes && !(p = nvm_realloc(p, wanted)))
        got = -1;
    if (got >= 0) {
        memcpy(to(p, wanted, caller), own, wanted);
        *(char **)to(line, sizeof(*line), caller) = p;
        if (wanted > *size_bytes)
            *(size_t *)to(size_bytes, sizeof(*size_bytes), caller) = wanted;
    }
    int error = errno;
    free(own);
    errno = error;
    return got;
}

static ssize_t read_until(char **line, size_t *size_bytes, int end, FILE *file, const void *caller)
{
    if (line && size_bytes && in_heap(*line))
        return line_into_heap(line, size_bytes, end, file, caller);
    return __real_getdelim(to(line, sizeof(*line), caller),
                           to(size_bytes, sizeof(*size_bytes), caller), end, file);
}

ssize_t __wrap_getline(char **line, size_t *size_bytes, FILE *file)
{
    return read_until(line, size_bytes, '\n', file, CALLER);
}

ssize_t __wrap_getdelim(char **line, size_t *size_bytes, int end, FILE *file)
{
    return read_until(line, size_bytes, end, file, CALLER);
}

ssize_t __wrap___getdelim(char **line, size_t *size_bytes, int end, FILE *file)
{
    return read_until(line, size_bytes, end, file, CALLER);
}
