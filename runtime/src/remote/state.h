/*===- state.h - what a primary knows of its replica ------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Invariant: what the replica may lack is all changes of the commits after `base`. The
 * ring has a record of each of them; or, when it was full (`spilled`), `dirty` has
 * every page that they changed.
 */
#ifndef NVMOVE_SRC_REMOTE_STATE_H
#define NVMOVE_SRC_REMOTE_STATE_H

#include "base/pool.h"
#include "remote/link.h"

/* Of address space: an empty ring begins anew, so no more of it is used than what is on its way. */
#define NVMI_RING_BYTES (64ull << 20)
#define NVMI_PART_BYTES 4096u /* of the arena: what pages are counted by here */

enum nvmi_replica_state {
    NVMI_REPLICA_AWAY,
    NVMI_REPLICA_COPYING, /* the thread sends pages; commits only mark them */
    NVMI_REPLICA_READY,   /* nearly all are there: the next commit sends the rest */
    NVMI_REPLICA_UP
};

struct nvmi_replica {
    bool wanted;
    bool async;   /* a commit counts at once */
    bool goes_on; /* without the replica, when it is away */
    int timeout_ms;
    char name[300]; /* as it was given */
    struct nvmi_address address;
    struct nvmi_key key;
    const struct nvmi_fabric *fabric;

    enum nvmi_replica_state state; /* this, and what follows, under the lock */
    struct nvmi_link link;
    bool told;                      /* that it is away, since it was there last */
    bool now;                       /* the next commit has to bring the replica up to date itself */
    uint64_t base;                  /* see above */
    uint64_t last_epoch;            /* of the last commit; atomic */
    uint64_t confirmed;             /* the replica has all up to this commit; atomic */
    unsigned char *ring;            /* of records; positions only grow */
    uint64_t taken_at;              /* records before are confirmed */
    uint64_t sent_at;               /* records before are sent */
    uint64_t put_at;                /* where the next one goes */
    bool spilled;                   /* see above */
    unsigned char *dirty;           /* one byte for each part of the arena */
    unsigned char *to_send;         /* likewise: what a copy that is under way still lacks */
    struct nvmi_fabric_place arena; /* of the draft that it goes to */
};

extern struct nvmi_replica nvmi_replica;
extern pthread_mutex_t nvmi_replica_lock;

bool nvmi_has_replica(void);

/* Under the lock. The last message says why. */
void nvmi_replica_lost(const struct nvmi_pool *pool);
void nvmi_replica_is_up(const struct nvmi_pool *pool);
void nvmi_replica_say_away(const struct nvmi_pool *pool);

#endif /* NVMOVE_SRC_REMOTE_STATE_H */
