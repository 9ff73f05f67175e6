/*===- wire.c - messages between a primary and its replica ------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "remote/wire.h"
#include "base/clock.h"
#include "base/crc32c.h"
#include "base/error.h"
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

/*===-- Addresses -----------------------------------------------------------===*/

static bool is_loopback(const struct sockaddr *a)
{
    if (a->sa_family == AF_INET)
        return ntohl(((const struct sockaddr_in *)(const void *)a)->sin_addr.s_addr) >> 24 == 127;
    if (a->sa_family != AF_INET6)
        return false;
    return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)(const void *)a)->sin6_addr);
}

static struct addrinfo *look_up(const struct nvmi_address *address, int flags)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = flags | AI_NUMERICSERV};
    struct addrinfo *list = NULL;
    return getaddrinfo(address->host, address->port, &hints, &list) == 0 ? list : NULL;
}

int nvmi_address_parse(const char *name, const char *text, struct nvmi_address *out)
{
    const char *colon = strrchr(text, ':');
    bool bracketed = text[0] == '[' && colon > text && colon[-1] == ']';
    const char *start = text + bracketed;
    size_t length = colon ? (size_t)(colon - start) - bracketed : 0;
    bool is_name = colon && length > 0 && length < sizeof(out->host) &&
                   (bracketed || !memchr(text, ':', (size_t)(colon - text)));
    if (!is_name || strspn(colon + 1, "0123456789") != strlen(colon + 1) || !colon[1] ||
        strlen(colon + 1) > 5)
        return nvmi_fail(EINVAL, "replica-address", "%s=%.200s is not HOST:PORT", name, text);
    snprintf(out->host, sizeof(out->host), "%.*s", (int)length, start);
    snprintf(out->port, sizeof(out->port), "%s", colon + 1);
    struct addrinfo *list = look_up(out, 0);
    if (!list)
        return nvmi_fail(EINVAL, "replica-address", "%s=%.200s: there is no such host", name, text);
    out->is_loopback = true;
    for (const struct addrinfo *a = list; a; a = a->ai_next)
        out->is_loopback = out->is_loopback && is_loopback(a->ai_addr);
    freeaddrinfo(list);
    return 0;
}

static int await_connection(int fd, int timeout_ms)
{
    struct pollfd event = {.fd = fd, .events = POLLOUT};
    int error = 0;
    socklen_t size = sizeof(error);
    if (errno != EINPROGRESS)
        return errno;
    int n;
    while ((n = poll(&event, 1, timeout_ms)) < 0 && errno == EINTR)
        ;
    if (n <= 0)
        return n == 0 ? ETIMEDOUT : errno;
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

int nvmi_wire_connect(const struct nvmi_address *address, int timeout_ms)
{
    struct addrinfo *list = look_up(address, 0);
    int error = ENOENT, fd = -1, one = 1;
    for (const struct addrinfo *a = list; a; a = a->ai_next) {
        fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, a->ai_protocol);
        error = fd < 0 || connect(fd, a->ai_addr, a->ai_addrlen) == 0
                    ? (fd < 0 ? errno : 0)
                    : await_connection(fd, timeout_ms);
        if (!error)
            break;
        if (fd >= 0)
            close(fd);
        fd = -1;
    }
    if (list)
        freeaddrinfo(list);
    if (fd >= 0) {
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
        return fd;
    }
    errno = nvmi_fail(error, "replica-away", "the replica at %s:%s does not answer: %s",
                      address->host, address->port, strerror(error));
    return -1;
}

int nvmi_wire_listen(const struct nvmi_address *address)
{
    struct addrinfo *list = look_up(address, AI_PASSIVE);
    int error = ENOENT, fd = -1, one = 1;
    if (list) {
        fd = socket(list->ai_family, list->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK,
                    list->ai_protocol);
        error = fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) != 0 ||
                        bind(fd, list->ai_addr, list->ai_addrlen) != 0 || listen(fd, 16) != 0
                    ? errno
                    : 0;
        freeaddrinfo(list);
    }
    if (!error)
        return fd;
    if (fd >= 0)
        close(fd);
    errno = nvmi_fail(error, "replica-address", "cannot listen on %s:%s: %s", address->host,
                      address->port, strerror(error));
    return -1;
}

unsigned nvmi_wire_port(int fd)
{
    struct sockaddr_storage name;
    socklen_t size = sizeof(name);
    if (getsockname(fd, (struct sockaddr *)&name, &size) != 0)
        return 0;
    return name.ss_family == AF_INET6
               ? ntohs(((const struct sockaddr_in6 *)(const void *)&name)->sin6_port)
               : ntohs(((const struct sockaddr_in *)(const void *)&name)->sin_port);
}

void nvmi_wire_watch(int fd)
{
    int on = 1, idle_s = 3, every_s = 1, most = 3;
    unsigned unanswered_ms = 6000;
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof(idle_s));
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &every_s, sizeof(every_s));
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &most, sizeof(most));
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &unanswered_ms, sizeof(unanswered_ms));
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

/*===-- Messages ------------------------------------------------------------===*/

static uint32_t crc_of(const struct nvmi_head *head, const void *body)
{
    uint32_t crc = nvmi_crc32c(0, head, offsetof(struct nvmi_head, crc));
    return nvmi_crc32c(crc, body, head->size_bytes);
}

/* Messages are small: what the socket does not take at once a peer that reads takes soon. */
int nvmi_wire_send(int fd, enum nvmi_kind kind, const void *body, size_t size_bytes)
{
    unsigned char text[sizeof(struct nvmi_head) + NVMI_WIRE_MOST_BYTES];
    struct nvmi_head head = {.magic = NVMI_WIRE_MAGIC,
                             .version = NVMI_WIRE_VERSION,
                             .kind = (uint16_t)kind,
                             .size_bytes = (uint32_t)size_bytes};
    head.crc = crc_of(&head, body);
    memcpy(text, &head, sizeof(head));
    if (size_bytes)
        memcpy(text + sizeof(head), body, size_bytes);
    for (size_t at = 0, end = sizeof(head) + size_bytes; at < end;) {
        ssize_t n = send(fd, text + at, end - at, MSG_NOSIGNAL);
        struct pollfd event = {.fd = fd, .events = POLLOUT};
        if (n > 0)
            at += (size_t)n;
        else if (errno != EINTR && (errno != EAGAIN || poll(&event, 1, 1000) == 0))
            return errno == EAGAIN ? ETIMEDOUT : ECONNRESET;
    }
    return 0;
}

static int receive(int fd, void *to, size_t size_bytes, int64_t end_ms)
{
    for (size_t at = 0; at < size_bytes;) {
        ssize_t n = recv(fd, (unsigned char *)to + at, size_bytes - at, 0);
        struct pollfd event = {.fd = fd, .events = POLLIN};
        int64_t left_ms = end_ms - (int64_t)nvmi_now_ms();
        if (n > 0)
            at += (size_t)n;
        else if (n == 0 || (errno != EINTR && errno != EAGAIN))
            return ECONNRESET;
        else if (errno == EAGAIN && (left_ms <= 0 || poll(&event, 1, (int)left_ms) == 0))
            return ETIMEDOUT;
    }
    return 0;
}

int nvmi_wire_next(int fd, enum nvmi_kind *kind, void *body, size_t *size_bytes, int timeout_ms)
{
    struct nvmi_head head;
    int64_t end_ms = (int64_t)nvmi_now_ms() + timeout_ms;
    int error = receive(fd, &head, sizeof(head), end_ms);
    if (error)
        return error;
    if (head.magic != NVMI_WIRE_MAGIC || head.version != NVMI_WIRE_VERSION ||
        head.size_bytes > NVMI_WIRE_MOST_BYTES)
        return EPROTO;
    if ((error = receive(fd, body, head.size_bytes, end_ms)))
        return error;
    if (head.crc != crc_of(&head, body))
        return EPROTO;
    *kind = head.kind;
    *size_bytes = head.size_bytes;
    return 0;
}

int nvmi_wire_expect(int fd, enum nvmi_kind kind, void *body, size_t size_bytes, int timeout_ms)
{
    union {
        unsigned char bytes[NVMI_WIRE_MOST_BYTES];
        struct nvmi_refused refused;
    } got;
    enum nvmi_kind what;
    size_t n;
    int error = nvmi_wire_next(fd, &what, got.bytes, &n, timeout_ms);
    if (error)
        return error;
    if (what == NVMI_REFUSED && n == sizeof(got.refused)) {
        got.refused.text[sizeof(got.refused.text) - 1] = 0;
        return nvmi_fail_said(EPERM, got.refused.text);
    }
    if (what != kind || n != size_bytes)
        return EPROTO;
    memcpy(body, got.bytes, n);
    return 0;
}

int nvmi_wire_proof(const struct nvmi_fabric *fabric, const void *key, size_t key_bytes,
                    const char *who, const unsigned char *nonce, const unsigned char *peers_nonce,
                    const void *text, size_t text_bytes, unsigned char out[NVMI_TOKEN_BYTES])
{
    unsigned char all[16 + 2 * NVMI_TOKEN_BYTES + NVMI_WIRE_MOST_BYTES] = {0};
    memset(out, 0, NVMI_TOKEN_BYTES);
    if (!key_bytes)
        return 0;
    if (text_bytes > NVMI_WIRE_MOST_BYTES)
        return EINVAL;
    strncpy((char *)all, who, 16);
    memcpy(all + 16, nonce, NVMI_TOKEN_BYTES);
    memcpy(all + 16 + NVMI_TOKEN_BYTES, peers_nonce, NVMI_TOKEN_BYTES);
    memcpy(all + 16 + 2 * NVMI_TOKEN_BYTES, text, text_bytes);
    return fabric->hmac(key, key_bytes, all, 16 + 2 * NVMI_TOKEN_BYTES + text_bytes, out);
}
