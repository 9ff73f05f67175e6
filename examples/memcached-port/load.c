/*===- load.c - a load on memcached, as mutilate makes it -------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * usage: load SOCKET fill KEYS VALUE-BYTES
 *        load SOCKET run KEYS VALUE-BYTES READ-PERCENT SECONDS CONNECTIONS DEPTH SEED
 *        load SOCKET first KEYS
 *
 * `fill` stores all keys, `run` reads and stores keys at random, so many requests
 * ahead on each connection, and prints the operations in a second; `first` tries to
 * connect until it can, and reads keys until one is there.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { KEY_BYTES = 11, MAX_VALUE_BYTES = 4096, MAX_DEPTH = 64, MAX_CONNECTIONS = 64 };

struct connection {
    int fd;
    char out[MAX_DEPTH * (MAX_VALUE_BYTES + 64)];
    size_t out_bytes;
    char in[MAX_DEPTH * (MAX_VALUE_BYTES + 64)];
    unsigned waiting; /* for so many replies */
    bool is_read[MAX_DEPTH];
};

static struct connection connections[MAX_CONNECTIONS];
static char value[MAX_VALUE_BYTES + 2];
static unsigned long hits, misses;

static void fail(const char *what)
{
    fprintf(stderr, "load: error: %s\n", what);
    exit(1);
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static uint64_t state;

static uint64_t next(void) /* xorshift64 */
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static int try_to_connect(const char *path)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof to.sun_path)
        fail("the path of the socket is too long");
    strcpy(to.sun_path, path);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(fd, (struct sockaddr *)&to, sizeof to) == 0)
        return fd;
    close(fd);
    return -1;
}

static void request(struct connection *c, unsigned long key, size_t value_bytes, bool is_read)
{
    char *at = c->out + c->out_bytes;
    if (is_read) {
        at += sprintf(at, "get key%08lu\r\n", key);
    } else {
        at += sprintf(at, "set key%08lu 0 0 %zu\r\n", key, value_bytes);
        memcpy(at, value, value_bytes);
        at += value_bytes;
        *at++ = '\r';
        *at++ = '\n';
    }
    c->out_bytes = (size_t)(at - c->out);
    c->is_read[c->waiting++] = is_read;
}

static void send_all(struct connection *c)
{
    for (size_t done = 0; done < c->out_bytes;) {
        ssize_t n = write(c->fd, c->out + done, c->out_bytes - done);
        if (n <= 0)
            fail("cannot write");
        done += (size_t)n;
    }
    c->out_bytes = 0;
}

/* The end of the reply that begins at `from`; NULL: it is not there yet. */
static const char *end_of_reply(const char *from, const char *to, bool is_read)
{
    const char *line = memchr(from, '\n', (size_t)(to - from));
    if (!line)
        return NULL;
    line++;
    if (!is_read) {
        if (memcmp(from, "STORED", 6) != 0)
            fail("a store was refused");
        return line;
    }
    if (memcmp(from, "END", 3) == 0) {
        misses++;
        return line;
    }
    if (memcmp(from, "VALUE ", 6) != 0)
        fail("not understood");
    size_t value_bytes = strtoul(from + 6 + KEY_BYTES + 3, NULL, 10);
    if ((size_t)(to - line) < value_bytes + 7)
        return NULL;
    hits++;
    return line + value_bytes + 7;
}

static void receive_all(struct connection *c)
{
    size_t have = 0, done = 0;
    for (unsigned i = 0; i < c->waiting;) {
        const char *end = end_of_reply(c->in + done, c->in + have, c->is_read[i]);
        if (end) {
            done = (size_t)(end - c->in);
            i++;
            continue;
        }
        ssize_t n = read(c->fd, c->in + have, sizeof c->in - have);
        if (n <= 0)
            fail("the connection has ended");
        have += (size_t)n;
    }
    c->waiting = 0;
}

static void fill(const char *path, unsigned long keys, size_t value_bytes)
{
    struct connection *c = connections;
    c->fd = try_to_connect(path);
    if (c->fd < 0)
        fail("cannot connect");
    for (unsigned long key = 0; key < keys;) {
        for (int i = 0; i < 32 && key < keys; i++)
            request(c, key++, value_bytes, false);
        send_all(c);
        receive_all(c);
    }
}

static void run(const char *path, unsigned long keys, size_t value_bytes, unsigned read_percent,
                double seconds, unsigned count, unsigned depth)
{
    for (unsigned i = 0; i < count; i++)
        if ((connections[i].fd = try_to_connect(path)) < 0)
            fail("cannot connect");
    unsigned long operations = 0;
    double begin = now_s(), taken;
    do {
        for (unsigned i = 0; i < count; i++) {
            for (unsigned k = 0; k < depth; k++)
                request(&connections[i], next() % keys, value_bytes, next() % 100 < read_percent);
            send_all(&connections[i]);
        }
        for (unsigned i = 0; i < count; i++)
            receive_all(&connections[i]);
        operations += count * depth;
        taken = now_s() - begin;
    } while (taken < seconds);
    printf("%.0f %lu %lu %lu\n", (double)operations / taken, operations, hits, misses);
}

static void first(const char *path, unsigned long keys)
{
    struct connection *c = connections;
    while ((c->fd = try_to_connect(path)) < 0)
        usleep(200);
    while (hits == 0) {
        request(c, next() % keys, 0, true);
        send_all(c);
        receive_all(c);
        if (misses > 1000)
            fail("nothing is there");
    }
}

int main(int argc, char **argv)
{
    if (argc < 4)
        fail("arguments");
    const char *path = argv[1], *what = argv[2];
    unsigned long keys = strtoul(argv[3], NULL, 10);
    size_t value_bytes = argc > 4 ? strtoul(argv[4], NULL, 10) : 0;
    if (value_bytes > MAX_VALUE_BYTES)
        fail("values are at most 4096 bytes");
    memset(value, 'v', sizeof value);
    state = 88172645463325252ull;
    if (strcmp(what, "fill") == 0 && argc == 5) {
        fill(path, keys, value_bytes);
    } else if (strcmp(what, "run") == 0 && argc == 10) {
        unsigned count = (unsigned)atoi(argv[7]), depth = (unsigned)atoi(argv[8]);
        if (count > MAX_CONNECTIONS || depth > MAX_DEPTH)
            fail("at most 64 connections, and 64 requests ahead");
        state ^= strtoul(argv[9], NULL, 10) * 2654435761u;
        run(path, keys, value_bytes, (unsigned)atoi(argv[5]), atof(argv[6]), count, depth);
    } else if (strcmp(what, "first") == 0 && argc == 4) {
        first(path, keys);
    } else {
        fail("arguments");
    }
    return 0;
}
