/*===- session.h - one primary at a replica ---------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_REPLICA_SESSION_H
#define NVMOVE_REPLICA_SESSION_H

#include "host.h"
#include "remote/link.h"

struct replica {
    const char *path; /* of the pool, absolute */
    bool power;
    struct nvmi_key key;
    const struct nvmi_fabric *fabric;
    struct nvmi_fabric_port *port;

    int fd; /* of the session; -1: there is none */
    char peer[80];
    struct nvmi_fabric_link *link;
    struct nvmi_fabric_memory *memory; /* the log, or the arena of the draft */
    struct host_draft draft;
    struct nvm_disk_header primary; /* its pool's */
    uint64_t taken;                 /* commits, in this session */
};

/* A connection that has come. Becomes the session, or is turned away with a reason. */
void session_greet(struct replica *r, int fd);
/* Takes what has arrived, waiting so long for something; `listener` is watched, too. */
void session_step(struct replica *r, struct pollfd *listener, int timeout_ms);
/* `text`: why, for whoever reads the log; NULL: the primary went. */
void session_end(struct replica *r, const char *text);

/* greet.c: what a primary must be like. 0, or an errno with the message that it is sent. */
int session_judge(const struct replica *r, const struct nvmi_hello *hello);
int session_handshake(struct replica *r, int fd, bool *only_asks);
/* Tells the peer the last message. */
void session_refuse(int fd);

#endif /* NVMOVE_REPLICA_SESSION_H */
