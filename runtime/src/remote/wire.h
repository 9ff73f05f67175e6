/*===- wire.h - messages between a primary and its replica ------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_REMOTE_WIRE_H
#define NVMOVE_SRC_REMOTE_WIRE_H

#include "remote/protocol.h"
#include <stdbool.h>

/* HOST:PORT or [HOST]:PORT. */
struct nvmi_address {
    char host[256], port[16];
    bool is_loopback; /* whatever the name leads to is */
};
/* 0, or EINVAL [replica-address]. `name`: of what holds the text. */
int nvmi_address_parse(const char *name, const char *text, struct nvmi_address *out);

/* A socket, or -1 with errno and a message [replica-away] (connect) or [replica-address]. */
int nvmi_wire_connect(const struct nvmi_address *address, int timeout_ms);
int nvmi_wire_listen(const struct nvmi_address *address);
/* The port that a listening socket has. */
unsigned nvmi_wire_port(int fd);
/* A peer that is gone without a word is noticed after some seconds. */
void nvmi_wire_watch(int fd);

/* 0 or an errno. */
int nvmi_wire_send(int fd, enum nvmi_kind kind, const void *body, size_t size_bytes);
/* The next message, whose body must have `size_bytes`. 0; ETIMEDOUT; ECONNRESET: the peer is
 * gone; EPROTO: it speaks otherwise; EPERM: it was refused, with the peer's message. */
int nvmi_wire_expect(int fd, enum nvmi_kind kind, void *body, size_t size_bytes, int timeout_ms);
/* Whichever comes next. `body` has NVMI_WIRE_MOST_BYTES. */
int nvmi_wire_next(int fd, enum nvmi_kind *kind, void *body, size_t *size_bytes, int timeout_ms);

/* The proof of one side: `who` tells which. */
int nvmi_wire_proof(const struct nvmi_fabric *fabric, const void *key, size_t key_bytes,
                    const char *who, const unsigned char *nonce, const unsigned char *peers_nonce,
                    const void *text, size_t text_bytes, unsigned char out[NVMI_TOKEN_BYTES]);

#endif /* NVMOVE_SRC_REMOTE_WIRE_H */
