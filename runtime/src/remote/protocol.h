/*===- protocol.h - what a primary and its replica say to each other --------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 *   primary                                replica
 *                <- CHALLENGE              (or REFUSED, here and below)
 *   HELLO        ->                        who: pool, layout, commits, history, proof
 *                <- WELCOME                what it holds, where to connect, proof
 *   (connects by libfabric, with the token)
 *   RECORDS      ->                        it holds all but what records tell
 *                <- LAP                    where they are to be written
 *   or
 *   PAGES        ->                        it lacks more than that
 *                <- ROOM                   where pages are to be written: in a draft
 *   ROOM_WANTED  ->  <- ROOM               the heap has grown meanwhile
 *   VALID        ->                        all are there: the draft takes the pool's place
 *                <- LAP
 *   then records, one-sided, each with a bell; when the log ends
 *   LAP_WANTED   ->  <- LAP
 *                <- SYNCED                 with power durability: up to this commit
 *
 * The records are those of the redo engine (base/layout.h). Messages go by TCP, in the
 * byte order of the machines, which are alike: the layout of the pool is the same.
 */
#ifndef NVMOVE_SRC_REMOTE_PROTOCOL_H
#define NVMOVE_SRC_REMOTE_PROTOCOL_H

#include "base/layout.h"
#include "remote/fabric.h"

#define NVMI_WIRE_MAGIC 0x52564d4eu /* "NMVR" */
#define NVMI_WIRE_VERSION 2u
#define NVMI_WIRE_MOST_BYTES 8192u

enum nvmi_kind {
    NVMI_CHALLENGE = 1,
    NVMI_HELLO,
    NVMI_WELCOME,
    NVMI_REFUSED,
    NVMI_RECORDS,
    NVMI_PAGES,
    NVMI_ROOM,
    NVMI_ROOM_WANTED,
    NVMI_VALID,
    NVMI_LAP_WANTED,
    NVMI_LAP,
    NVMI_SYNCED
};

struct nvmi_head {
    uint32_t magic;
    uint16_t version, kind;
    uint32_t size_bytes; /* of what follows */
    uint32_t crc;        /* of the fields before, and of what follows */
};

struct nvmi_challenge {
    unsigned char nonce[NVMI_TOKEN_BYTES];
    uint64_t wants_key; /* 1: a proof is checked */
};

/* A proof is an HMAC of both nonces and of what follows it in the message. */
struct nvmi_hello {
    unsigned char nonce[NVMI_TOKEN_BYTES], proof[NVMI_TOKEN_BYTES];
    uint64_t only_asks; /* 1: no session follows */
    uint64_t epoch;     /* of the last commit */
    struct nvm_disk_header header;
    struct nvm_disk_runs runs;
};

struct nvmi_welcome {
    unsigned char proof[NVMI_TOKEN_BYTES];
    uint64_t holds; /* 1: a pool, as of `epoch` */
    uint64_t epoch;
    uint64_t waits_for_disk; /* 1: SYNCED tells what counts */
    uint64_t address_bytes;
    unsigned char address[NVMI_FABRIC_ADDRESS_BYTES];
    unsigned char token[NVMI_TOKEN_BYTES];
};

struct nvmi_refused {
    char text[512]; /* with the id at its end; ends with a 0 */
};

struct nvmi_records {
    uint64_t next_epoch;
};

struct nvmi_pages {
    uint64_t whole;      /* 1: the draft is empty; 0: it is a copy of the pool */
    uint64_t page_count; /* of the heap, that are in use */
};

struct nvmi_room {
    struct nvmi_fabric_place place; /* the arena; so much of it has blocks */
};

struct nvmi_room_wanted {
    uint64_t page_count;
};

struct nvmi_valid {
    uint64_t epoch;
};

/* Messages and records go different ways: the records up to this commit may still be coming. */
struct nvmi_lap_wanted {
    uint64_t epoch;
    uint64_t record_bytes; /* of the next one: the log should have room for it */
};

struct nvmi_lap {
    struct nvmi_fabric_place place; /* the log, from its start */
    uint64_t lap, pool_tag;         /* that records carry */
    uint64_t next_epoch;
};

struct nvmi_synced {
    uint64_t epoch;
};

#endif /* NVMOVE_SRC_REMOTE_PROTOCOL_H */
