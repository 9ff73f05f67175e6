/*===- nvm-replica.c - owns a pool that another machine's program writes to -===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "base/error.h"
#include "session.h"
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static volatile sig_atomic_t stopping;

static void stop(int signal)
{
    (void)signal;
    stopping = 1;
}

struct arguments {
    const char *listen, *key, *file;
    bool power;
};

static void print_usage(FILE *to)
{
    fputs("usage: nvm-replica --listen HOST:PORT [--key FILE] [--durability process|power] FILE\n",
          to);
}

/* -1: it was called wrongly. */
static int parse(int argc, char **argv, struct arguments *a)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--listen") == 0 && value)
            a->listen = argv[++i];
        else if (strcmp(argv[i], "--key") == 0 && value)
            a->key = argv[++i];
        else if (strcmp(argv[i], "--durability") == 0 && value &&
                 (strcmp(value, "power") == 0 || strcmp(value, "process") == 0))
            a->power = strcmp(argv[++i], "power") == 0;
        else if (argv[i][0] == '-' || a->file)
            return -1;
        else
            a->file = argv[i];
    }
    return a->listen && a->file ? 0 : -1;
}

static int complain(void)
{
    fprintf(stderr, "nvm-replica: error: %s\n", nvm_errormsg());
    return 1;
}

/* The path without links; of a file that does not exist yet, its directory's. */
static int absolute(const char *path, char out[PATH_MAX])
{
    char copy[PATH_MAX];
    if (realpath(path, out))
        return 0;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    snprintf(copy, sizeof(copy), "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    if (errno != ENOENT || !*name || !realpath(copy, out) ||
        strlen(out) + strlen(name) + 32 > PATH_MAX)
        return nvmi_fail(ENOENT, "pool-missing", "%.200s: no such directory", path);
    strcat(strcmp(out, "/") ? strcat(out, "/") : out, name);
    return 0;
}

static int prepare(struct replica *r, const struct arguments *a, struct nvmi_address *address)
{
    int error = nvmi_address_parse("--listen", a->listen, address);
    if (!error && a->key)
        error = nvmi_key_read(a->key, r->key.bytes, &r->key.size_bytes);
    if (!error && !a->key && !address->is_loopback)
        error = nvmi_fail(EINVAL, "replica-key",
                          "--listen %.200s can be reached from other machines: --key must name a "
                          "key",
                          a->listen);
    if (!error && !(r->fabric = nvmi_fabric_load()))
        error = ENOSYS;
    if (!error && !(r->port = r->fabric->listen(address->host)))
        error = nvmi_fail(errno, "replica-support", "cannot listen on %s: %s", a->listen,
                          r->fabric->error());
    if (!error && access(r->path, F_OK) == 0)
        error = host_open(r->path, r->power);
    return error;
}

static void serve(struct replica *r, int listener)
{
    while (!stopping) {
        struct pollfd event = {.fd = listener, .events = POLLIN};
        if (r->fd >= 0)
            session_step(r, &event, 1000);
        else if (poll(&event, 1, 1000) < 0 && errno != EINTR)
            return;
        int fd = event.revents ? accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK) : -1;
        if (fd >= 0)
            session_greet(r, fd);
    }
}

int main(int argc, char **argv)
{
    static struct replica r = {.fd = -1, .draft = {.fd = -1}};
    static char path[PATH_MAX];
    struct arguments a = {0};
    struct nvmi_address address;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        print_usage(stdout);
        return 0;
    }
    if (parse(argc, argv, &a) != 0) {
        print_usage(stderr);
        return 2;
    }
    struct sigaction action = {.sa_handler = stop};
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    r.power = a.power;
    if (absolute(a.file, path) != 0)
        return complain();
    r.path = path;
    if (prepare(&r, &a, &address) != 0)
        return complain();
    int listener = nvmi_wire_listen(&address);
    if (listener < 0)
        return complain();
    printf("nvm-replica: %s on %s:%u: %s %llu\n", path, address.host, nvmi_wire_port(listener),
           nvmi_pool.open ? "commit" : "no commit yet,", (unsigned long long)nvmi_pool.epoch);
    fflush(stdout);
    serve(&r, listener);
    if (r.fd >= 0)
        session_end(&r, NULL);
    if (nvmi_pool.open) {
        host_lap(nvmi_pool.epoch + 1);
        host_close();
    }
    r.fabric->close_port(r.port);
    return 0;
}
