/*===- io.c - input into the heap, output after the commit ------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "base/pool.h"
#include "commit/output.h"
#include "commit/streams.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define ON_STACK_BYTES 16384u

/* A place outside the heap for `size_bytes`: the small buffer, or malloc's. */
static void *bounce(void *small, size_t size_bytes)
{
    return size_bytes <= ON_STACK_BYTES ? small : malloc(size_bytes);
}

static void put_back(void *small, void *buffer)
{
    int error = errno;
    if (buffer != small)
        free(buffer);
    errno = error;
}

static long arrived(void *to, const void *from, long n)
{
    if (n > 0)
        memcpy(nvm_store(to, (unsigned long)n), from, (size_t)n);
    return n;
}

long nvm_read(int fd, void *buf, size_t n)
{
    char small[ON_STACK_BYTES];
    if (!nvmi_in_heap(buf))
        return read(fd, buf, n);
    void *b = bounce(small, n);
    if (!b)
        return -1;
    long got = arrived(buf, b, read(fd, b, n));
    put_back(small, b);
    return got;
}

long nvm_pread(int fd, void *buf, size_t n, long offset)
{
    char small[ON_STACK_BYTES];
    if (!nvmi_in_heap(buf))
        return pread(fd, buf, n, offset);
    void *b = bounce(small, n);
    if (!b)
        return -1;
    long got = arrived(buf, b, pread(fd, b, n, offset));
    put_back(small, b);
    return got;
}

long nvm_recv(int fd, void *buf, size_t n, int flags)
{
    return nvm_recvfrom(fd, buf, n, flags, NULL, NULL);
}

long nvm_recvfrom(int fd, void *buf, size_t n, int flags, void *from, void *from_size_bytes)
{
    char small[ON_STACK_BYTES];
    if (from && from_size_bytes) {
        nvm_store(from, *(socklen_t *)from_size_bytes);
        nvm_store(from_size_bytes, sizeof(socklen_t));
    }
    if (!nvmi_in_heap(buf))
        return recvfrom(fd, buf, n, flags, from, from_size_bytes);
    void *b = bounce(small, n);
    if (!b)
        return -1;
    long got = recvfrom(fd, b, n, flags, from, from_size_bytes);
    /* With MSG_TRUNC the result is how much there was, which may be more than came. */
    arrived(buf, b, got > 0 && (size_t)got > n ? (long)n : got);
    put_back(small, b);
    return got;
}

/* What is there before may go, too: the bytes that arrive are known only afterwards. */
static void announce_places(const struct iovec *places, size_t n)
{
    for (size_t i = 0; i < n; i++)
        nvm_store(places[i].iov_base, places[i].iov_len);
}

long nvm_readv(int fd, const void *places, int n)
{
    announce_places(places, n > 0 ? (size_t)n : 0);
    return readv(fd, places, n);
}

long nvm_preadv(int fd, const void *places, int n, long offset)
{
    announce_places(places, n > 0 ? (size_t)n : 0);
    return preadv(fd, places, n, offset);
}

long nvm_recvmsg(int fd, void *message, int flags)
{
    struct msghdr *m = nvm_store(message, sizeof(*m));
    announce_places(m->msg_iov, m->msg_iovlen);
    nvm_store(m->msg_name, m->msg_namelen);
    nvm_store(m->msg_control, m->msg_controllen);
    return recvmsg(fd, m, flags);
}

size_t nvm_fread(void *buf, size_t size_bytes, size_t n, void *stream)
{
    char small[ON_STACK_BYTES];
    size_t all, items;
    if (!nvmi_in_heap(buf) || __builtin_mul_overflow(size_bytes, n, &all) || all == 0)
        return fread(buf, size_bytes, n, stream);
    void *b = bounce(small, all);
    if (!b)
        return 0;
    /* What was read of a last, incomplete item belongs to the buffer too. */
    memcpy(b, buf, all);
    items = fread(b, size_bytes, n, stream);
    arrived(buf, b, (long)(items < n ? all : items * size_bytes));
    put_back(small, b);
    return items;
}

char *nvm_fgets(char *buf, int n, void *stream)
{
    char small[ON_STACK_BYTES];
    if (!nvmi_in_heap(buf) || n <= 0)
        return fgets(buf, n, stream);
    char *b = bounce(small, (size_t)n), *result = NULL;
    if (!b)
        return NULL;
    if (fgets(b, n, stream)) {
        nvm_strcpy(buf, b); /* bytes after an embedded 0 stay away */
        result = buf;
    }
    put_back(small, b);
    return result;
}

static void before_output(int fd)
{
    if (!nvmi_pool.open)
        return;
    nvmi_output(nvmi_depth > 1 && nvmi_is_promise(fd));
    nvmi_flush_output();
}

long nvm_write(int fd, const void *buf, size_t n)
{
    before_output(fd);
    return write(fd, buf, n);
}

long nvm_writev(int fd, const void *iov, int count)
{
    before_output(fd);
    return writev(fd, iov, count);
}

long nvm_send(int fd, const void *buf, size_t n, int flags)
{
    before_output(fd);
    return send(fd, buf, n, flags);
}

long nvm_sendto(int fd, const void *buf, size_t n, int flags, const void *to, unsigned to_len)
{
    before_output(fd);
    return sendto(fd, buf, n, flags, to, to_len);
}

long nvm_sendmsg(int fd, const void *message, int flags)
{
    before_output(fd);
    return sendmsg(fd, message, flags);
}

int nvm_sendmmsg(int fd, void *messages, unsigned count, int flags)
{
    before_output(fd);
    return sendmmsg(fd, messages, count, flags);
}

long nvm_pwrite(int fd, const void *buf, size_t n, long offset)
{
    before_output(fd);
    return pwrite(fd, buf, n, offset);
}

long nvm_pwritev(int fd, const void *iov, int count, long offset)
{
    before_output(fd);
    return pwritev(fd, iov, count, offset);
}

long nvm_sendfile(int to, int from, void *offset, size_t n)
{
    before_output(to);
    return sendfile(to, from, offset, n);
}

int nvm_vdprintf(int fd, const char *format, va_list arguments)
{
    before_output(fd);
    return vdprintf(fd, format, arguments);
}

int nvm_dprintf(int fd, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = nvm_vdprintf(fd, format, arguments);
    va_end(arguments);
    return n;
}
