/*===- host.h - the pool of a replica ---------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * A pool of engine redo, in nvmi_pool, that is not open in a program: the records that
 * another process writes into its log are brought home here. After a crash the engine
 * finds them, as it finds its own. Functions return 0 or an errno with its message.
 */
#ifndef NVMOVE_REPLICA_HOST_H
#define NVMOVE_REPLICA_HOST_H

#include "base/pool.h"

/* ENOENT: there is no such file; nothing is open then. */
int host_open(const char *path, bool power);
void host_close(void);

/* So that a record of this size fits, if the pool and its disk have so much. */
void host_lengthen_log(uint64_t record_bytes);
/* The log starts over; the next record is to be that of `next_epoch`. */
int host_lap(uint64_t next_epoch);
/* The next record has arrived, and has so many bytes: it counts from now on. EBADMSG: it is not
 * whole. With power durability it counts when host_settle() returns. */
int host_take(uint64_t size_bytes);
/* Takes whatever has arrived: no peer can write to the log any more. */
void host_take_rest(void);
/* On its way home; with power durability on the disk, and home at the end of the lap: so each wait
 * for the disk is only for the log. */
void host_settle(void);
/* Brings home what has been taken. */
void host_bring_home(void);

/* A pool that is to take the place of host_path. */
struct host_draft {
    char path[4200];
    int fd; /* -1: there is none */
    struct nvmi_pool pool;
    uint64_t control_offset;
    unsigned char *arena;
};
/* Empty, with the layout of `like`; or, if that is NULL, a copy of the open pool. */
int draft_begin(struct host_draft *draft, const char *host_path,
                const struct nvm_disk_header *like);
/* Blocks for so many pages; `*size_bytes`: they and all before are in so much of the arena. */
int draft_make_room(struct host_draft *draft, uint64_t page_count, uint64_t *size_bytes);
/* It is as of this commit: takes the place of the pool, which is open then. When it is no sound
 * pool the one that was there is open again. */
int draft_publish(struct host_draft *draft, const char *host_path, bool power, uint64_t epoch);
void draft_drop(struct host_draft *draft);

#endif /* NVMOVE_REPLICA_HOST_H */
