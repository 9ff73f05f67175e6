/*===- link.c - a primary's connection to its replica -----------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "remote/link.h"
#include "base/clock.h"
#include "base/error.h"
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define LAST_WORDS_MS 200
#define COPY_MS                                                                                    \
    600000 /* the peer copies its pool, or waits for a disk; that it dies is seen before */

/* EPERM has the peer's own message. */
static int lost(int error)
{
    return error == EPERM
               ? error
               : nvmi_fail(error, "replica-away", "the replica does not answer: %s",
                           error == EPROTO ? "it uses another protocol" : strerror(error));
}

void nvmi_link_close(struct nvmi_link *link)
{
    if (link->writes) {
        link->fabric->withdraw(link->memory);
        link->fabric->close(link->writes);
    }
    if (link->fd >= 0)
        close(link->fd);
    link->writes = NULL;
    link->memory = NULL;
    link->fd = -1;
}

static int greet(struct nvmi_link *link, const struct nvmi_key *key, struct nvmi_hello *hello)
{
    struct nvmi_challenge challenge;
    unsigned char proof[NVMI_TOKEN_BYTES];
    const size_t skip = offsetof(struct nvmi_hello, only_asks);
    const size_t peer_skip = offsetof(struct nvmi_welcome, holds);
    int error =
        nvmi_wire_expect(link->fd, NVMI_CHALLENGE, &challenge, sizeof(challenge), link->timeout_ms);
    if (!error && getrandom(hello->nonce, sizeof(hello->nonce), 0) != sizeof(hello->nonce))
        error = EIO;
    if (!error && !challenge.wants_key != !key->size_bytes)
        return nvmi_fail(EACCES, "replica-key", "%s",
                         key->size_bytes
                             ? "the replica has no key: unset NVM_REPLICA_KEY"
                             : "the replica requires a key: NVM_REPLICA_KEY is not set");
    if (!error)
        error = nvmi_wire_proof(link->fabric, key->bytes, key->size_bytes, "primary",
                                challenge.nonce, hello->nonce, (const char *)hello + skip,
                                sizeof(*hello) - skip, hello->proof);
    if (!error)
        error = nvmi_wire_send(link->fd, NVMI_HELLO, hello, sizeof(*hello));
    if (!error)
        error = nvmi_wire_expect(link->fd, NVMI_WELCOME, &link->peer, sizeof(link->peer),
                                 link->timeout_ms);
    if (!error)
        error = nvmi_wire_proof(link->fabric, key->bytes, key->size_bytes, "replica", hello->nonce,
                                challenge.nonce, (const char *)&link->peer + peer_skip,
                                sizeof(link->peer) - peer_skip, proof);
    if (error)
        return lost(error);
    if (memcmp(proof, link->peer.proof, sizeof(proof)) != 0)
        return nvmi_fail(EACCES, "replica-key", "the replica does not have the key");
    return link->peer.address_bytes <= sizeof(link->peer.address) ? 0 : lost(EPROTO);
}

int nvmi_link_open(struct nvmi_link *link, const struct nvmi_address *address,
                   const struct nvmi_key *key, struct nvmi_hello *hello, void *memory,
                   size_t memory_bytes)
{
    link->offset = link->number = link->first_number = link->synced_epoch = 0;
    link->fd = nvmi_wire_connect(address, link->timeout_ms);
    if (link->fd < 0)
        return errno;
    nvmi_wire_watch(link->fd);
    int error = greet(link, key, hello);
    if (!error && !hello->only_asks) {
        link->writes = link->fabric->connect(link->peer.address, link->peer.address_bytes,
                                             link->peer.token, link->timeout_ms);
        if (link->writes)
            link->memory = link->fabric->use(link->writes, memory, memory_bytes);
        if (!link->memory)
            error = nvmi_fail(errno, "replica-away", "the replica's memory cannot be reached: %s",
                              link->fabric->error());
    }
    if (error || hello->only_asks)
        nvmi_link_close(link);
    return error;
}

/* The next message but SYNCED, which is noted. */
static int take_message(struct nvmi_link *link, enum nvmi_kind wanted, void *body,
                        size_t size_bytes)
{
    union {
        unsigned char bytes[NVMI_WIRE_MOST_BYTES];
        struct nvmi_synced synced;
        struct nvmi_refused refused;
    } got;
    enum nvmi_kind kind;
    size_t n;
    int error = nvmi_wire_next(link->fd, &kind, got.bytes, &n, link->timeout_ms);
    if (error)
        return lost(error);
    if (kind == NVMI_SYNCED && n == sizeof(got.synced)) {
        link->synced_epoch = got.synced.epoch;
        return EAGAIN;
    }
    if (kind == NVMI_REFUSED && n == sizeof(got.refused)) {
        got.refused.text[sizeof(got.refused.text) - 1] = 0;
        return nvmi_fail_said(EPERM, got.refused.text);
    }
    if (!body || kind != wanted || n != size_bytes)
        return lost(EPROTO);
    memcpy(body, got.bytes, n);
    return 0;
}

/* The writes' connection has ended: the peer may have said why on the other. */
static int ended(struct nvmi_link *link, int error)
{
    struct pollfd event = {.fd = link->fd, .events = POLLIN};
    while (poll(&event, 1, LAST_WORDS_MS) > 0) {
        int said = take_message(link, 0, NULL, 0);
        if (said != EAGAIN)
            return said == EPERM ? said : lost(error);
    }
    return lost(error);
}

static int answer(struct nvmi_link *link, enum nvmi_kind kind, void *body, size_t size_bytes,
                  int patience_ms)
{
    for (uint64_t since_ms = nvmi_now_ms();;) {
        struct pollfd event = {.fd = link->fd, .events = POLLIN};
        int error = link->fabric->wait(link->writes, &event, 1, 20);
        if (event.revents) {
            error = take_message(link, kind, body, size_bytes);
            if (error != EAGAIN)
                return error;
        } else if (error) {
            return ended(link, error);
        }
        if (nvmi_now_ms() - since_ms > (uint64_t)patience_ms)
            return lost(ETIMEDOUT);
    }
}

static int ask(struct nvmi_link *link, enum nvmi_kind kind, const void *body, size_t size_bytes,
               enum nvmi_kind answers, void *answered, size_t answered_bytes, int patience_ms)
{
    int error = nvmi_wire_send(link->fd, kind, body, size_bytes);
    return error ? lost(error) : answer(link, answers, answered, answered_bytes, patience_ms);
}

static int ask_for_log(struct nvmi_link *link, enum nvmi_kind kind, const void *body,
                       size_t size_bytes, int patience_ms)
{
    int error =
        ask(link, kind, body, size_bytes, NVMI_LAP, &link->log, sizeof(link->log), patience_ms);
    link->offset = 0;
    link->first_number = link->number + 1 - link->log.next_epoch; /* wraps, as it should */
    return error;
}

int nvmi_link_records(struct nvmi_link *link, uint64_t next_epoch)
{
    struct nvmi_records records = {.next_epoch = next_epoch};
    link->synced_epoch = next_epoch - 1;
    return ask_for_log(link, NVMI_RECORDS, &records, sizeof(records), link->timeout_ms);
}

int nvmi_link_pages(struct nvmi_link *link, bool whole, uint64_t page_count,
                    struct nvmi_fabric_place *arena)
{
    struct nvmi_pages pages = {.whole = whole, .page_count = page_count};
    struct nvmi_room room;
    int error =
        ask(link, NVMI_PAGES, &pages, sizeof(pages), NVMI_ROOM, &room, sizeof(room), COPY_MS);
    *arena = room.place;
    return error;
}

int nvmi_link_room(struct nvmi_link *link, uint64_t page_count, struct nvmi_fabric_place *arena)
{
    struct nvmi_room_wanted wanted = {.page_count = page_count};
    struct nvmi_room room;
    int error = ask(link, NVMI_ROOM_WANTED, &wanted, sizeof(wanted), NVMI_ROOM, &room, sizeof(room),
                    COPY_MS);
    *arena = room.place;
    return error;
}

int nvmi_link_valid(struct nvmi_link *link, uint64_t epoch)
{
    struct nvmi_valid valid = {.epoch = epoch};
    link->synced_epoch = epoch;
    return ask_for_log(link, NVMI_VALID, &valid, sizeof(valid), COPY_MS);
}

int nvmi_link_lap(struct nvmi_link *link, uint64_t record_bytes)
{
    struct nvmi_lap_wanted wanted = {.epoch = link->number - link->first_number,
                                     .record_bytes = record_bytes};
    return ask_for_log(link, NVMI_LAP_WANTED, &wanted, sizeof(wanted), link->timeout_ms);
}

static int begin(struct nvmi_link *link, const void *from, size_t size_bytes,
                 const struct nvmi_fabric_place *place, uint64_t offset, uint32_t bell)
{
    int error = link->fabric->write(link->writes, link->memory, from, size_bytes, place, offset,
                                    bell, ++link->number);
    return error ? lost(error) : 0;
}

int nvmi_link_record(struct nvmi_link *link, const struct nvm_disk_record *record)
{
    int error = begin(link, record, record->size_bytes, &link->log.place, link->offset,
                      (uint32_t)(record->size_bytes / NVM_LINE_BYTES));
    link->offset += record->size_bytes;
    return error;
}

int nvmi_link_page(struct nvmi_link *link, const struct nvmi_fabric_place *arena, const void *from,
                   uint64_t offset, size_t size_bytes)
{
    return begin(link, from, size_bytes, arena, offset, 0);
}

int nvmi_link_step(struct nvmi_link *link, int timeout_ms)
{
    struct pollfd event = {.fd = link->fd, .events = POLLIN};
    int error = link->fabric->wait(link->writes, &event, 1, timeout_ms);
    if (event.revents) {
        int said = take_message(link, 0, NULL, 0);
        return said == EAGAIN ? 0 : said;
    }
    return error ? ended(link, error) : 0;
}

int nvmi_link_drain(struct nvmi_link *link)
{
    uint64_t since_ms = nvmi_now_ms(), done = link->fabric->done(link->writes);
    while (done < link->number) {
        int error = nvmi_link_step(link, 20);
        if (error)
            return error;
        if (link->fabric->done(link->writes) != done)
            since_ms = nvmi_now_ms();
        else if (nvmi_now_ms() - since_ms > (uint64_t)link->timeout_ms)
            return lost(ETIMEDOUT);
        done = link->fabric->done(link->writes);
    }
    return 0;
}

uint64_t nvmi_link_confirmed(const struct nvmi_link *link)
{
    uint64_t done = link->fabric->done(link->writes) - link->first_number;
    return link->peer.waits_for_disk && link->synced_epoch < done ? link->synced_epoch : done;
}
