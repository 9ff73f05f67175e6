/*===- fabric.h - what the module for libfabric offers ----------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * libnvmove-fabric.so is loaded when a replica is asked for, so that a program that
 * has none needs neither libfabric nor libcrypto (docs/decisions/0078-*.md).
 *
 * One peer opens a port and tells its address and a token in some other way; the
 * other connects there and shows the token. Each link has a domain of its own: what
 * is exposed on it can be written only by its peer.
 *
 * Calls on one link come one at a time. Functions return 0 or an errno, if nothing
 * else is said; error() says more about the last failure of this thread.
 */
#ifndef NVMOVE_SRC_REMOTE_FABRIC_H
#define NVMOVE_SRC_REMOTE_FABRIC_H

#include <poll.h>
#include <stddef.h>
#include <stdint.h>

#define NVMI_FABRIC_VERSION 1u
#define NVMI_TOKEN_BYTES 32u
#define NVMI_FABRIC_ADDRESS_BYTES 128u

struct nvmi_fabric_port;
struct nvmi_fabric_link;
struct nvmi_fabric_memory;

/* Where the peer may write. */
struct nvmi_fabric_place {
    uint64_t address, key, size_bytes;
};

struct nvmi_fabric {
    uint32_t version;
    const char *(*error)(void);

    /* HMAC with SHA-256. */
    int (*hmac)(const void *key, size_t key_bytes, const void *data, size_t size_bytes,
                unsigned char out[NVMI_TOKEN_BYTES]);

    /* A port on any number of this host, which is a name or an address. NULL: errno. */
    struct nvmi_fabric_port *(*listen)(const char *host);
    int (*port_address)(struct nvmi_fabric_port *port, void *address, size_t *size_bytes);
    /* Waits for the connection that shows the token; any other is turned away. NULL: errno. */
    struct nvmi_fabric_link *(*accept)(struct nvmi_fabric_port *port,
                                       const unsigned char token[NVMI_TOKEN_BYTES], int timeout_ms);
    void (*close_port)(struct nvmi_fabric_port *port);

    struct nvmi_fabric_link *(*connect)(const void *address, size_t address_bytes,
                                        const unsigned char token[NVMI_TOKEN_BYTES],
                                        int timeout_ms);
    const char *(*provider)(const struct nvmi_fabric_link *link);
    /* Afterwards nothing is written to the memory of either side. */
    void (*close)(struct nvmi_fabric_link *link);

    /* Memory that the peer may write to; the place is what write() takes there. */
    struct nvmi_fabric_memory *(*expose)(struct nvmi_fabric_link *link, void *memory,
                                         size_t size_bytes, struct nvmi_fabric_place *place);
    /* Memory that write() reads from. */
    struct nvmi_fabric_memory *(*use)(struct nvmi_fabric_link *link, void *memory,
                                      size_t size_bytes);
    void (*withdraw)(struct nvmi_fabric_memory *memory);

    /* Begins to write; what is read must stay until done() has come to `number`, which
     * grows from one write to the next and is above 0. Writes arrive in order. With `bell` above
     * 0 the peer's next_bell() gives it back once the bytes are there. */
    int (*write)(struct nvmi_fabric_link *link, const struct nvmi_fabric_memory *from_memory,
                 const void *from, size_t size_bytes, const struct nvmi_fabric_place *place,
                 uint64_t offset, uint32_t bell, uint64_t number);
    /* Waits until something has happened on the link, one of the descriptors has an event, or the
     * time is over. ENOTCONN: the peer is gone. */
    int (*wait)(struct nvmi_fabric_link *link, struct pollfd *more, unsigned count, int timeout_ms);
    /* The bytes of all writes up to this number are in the peer's memory. */
    uint64_t (*done)(const struct nvmi_fabric_link *link);
    /* 0: none has come since. */
    uint32_t (*next_bell)(struct nvmi_fabric_link *link);
};

/* The name under which the module exports it. */
#define NVMI_FABRIC_SYMBOL "nvmi_fabric_module"

#endif /* NVMOVE_SRC_REMOTE_FABRIC_H */
