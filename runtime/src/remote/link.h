/*===- link.h - a primary's connection to its replica -----------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_REMOTE_LINK_H
#define NVMOVE_SRC_REMOTE_LINK_H

#include "remote/load.h"
#include "remote/wire.h"

struct nvmi_link {
    const struct nvmi_fabric *fabric;
    int fd; /* -1: there is none */
    int timeout_ms;
    struct nvmi_fabric_link *writes;
    struct nvmi_fabric_memory *memory; /* all writes read from it */
    struct nvmi_welcome peer;
    struct nvmi_lap log;
    uint64_t offset;       /* in the log, where the next record goes */
    uint64_t number;       /* of the last write */
    uint64_t first_number; /* the number of the write of record e is first_number + e */
    uint64_t synced_epoch; /* as the peer says */
};

/* A key has 0 bytes where there is none. */
struct nvmi_key {
    unsigned char bytes[NVMI_KEY_MOST_BYTES];
    size_t size_bytes;
};

/* Says who one is, and learns what the replica holds. With hello->only_asks the connection ends
 * with that. 0, or an errno with its message: EPERM, the replica has refused it; others
 * [replica-away]. */
int nvmi_link_open(struct nvmi_link *link, const struct nvmi_address *address,
                   const struct nvmi_key *key, struct nvmi_hello *hello, void *memory,
                   size_t memory_bytes);
void nvmi_link_close(struct nvmi_link *link);

/* Each: 0, or an errno with its message. */
int nvmi_link_records(struct nvmi_link *link, uint64_t next_epoch);
int nvmi_link_pages(struct nvmi_link *link, bool whole, uint64_t page_count,
                    struct nvmi_fabric_place *arena);
int nvmi_link_room(struct nvmi_link *link, uint64_t page_count, struct nvmi_fabric_place *arena);
int nvmi_link_valid(struct nvmi_link *link, uint64_t epoch);
/* The log starts over, with room for this record if the replica has it. */
int nvmi_link_lap(struct nvmi_link *link, uint64_t record_bytes);

/* Begins to write one record, which is the next and fits. */
int nvmi_link_record(struct nvmi_link *link, const struct nvm_disk_record *record);
/* Writes to the arena of the draft. */
int nvmi_link_page(struct nvmi_link *link, const struct nvmi_fabric_place *arena, const void *from,
                   uint64_t offset, size_t size_bytes);
/* Takes what has come, waiting so long for something. */
int nvmi_link_step(struct nvmi_link *link, int timeout_ms);
/* Until all that was begun is in the peer's memory. */
int nvmi_link_drain(struct nvmi_link *link);
/* The peer has all records up to this commit; if it waits for a disk, on that. */
uint64_t nvmi_link_confirmed(const struct nvmi_link *link);

#endif /* NVMOVE_SRC_REMOTE_LINK_H */
