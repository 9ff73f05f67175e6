/*===- ring.c - records on their way to the replica -------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * A record lies in one piece; where none fits before the end of the ring a head without
 * lines fills it up. It is written before the engine commits, since engines change the
 * list of lines, and sent afterwards: the replica is never ahead of the pool.
 */
#include "remote/ring.h"
#include "base/clock.h"
#include "base/crc32c.h"
#include "base/error.h"
#include "medium/log.h"
#include "remote/pages.h"
#include <errno.h>
#include <string.h>

/* An epoch of 64 ms has some MiB of changed lines. */
#define MOST_RECORD_BYTES (NVMI_RING_BYTES / 2)
/* So much of the replica's log is used, unless one record is longer: it stays in the
 * processor's cache there. */
#define LAP_BYTES (4ull << 20)

static struct nvm_disk_record *record_at(uint64_t at)
{
    return (struct nvm_disk_record *)(void *)(nvmi_replica.ring + at % NVMI_RING_BYTES);
}

static bool is_filler(const struct nvm_disk_record *record)
{
    return record->magic != NVM_RECORD_MAGIC;
}

void nvmi_ring_confirm(void)
{
    struct nvmi_replica *r = &nvmi_replica;
    if (r->state != NVMI_REPLICA_UP)
        return;
    uint64_t epoch = nvmi_link_confirmed(&r->link);
    while (r->taken_at < r->sent_at &&
           (is_filler(record_at(r->taken_at)) || record_at(r->taken_at)->epoch <= epoch))
        r->taken_at += record_at(r->taken_at)->size_bytes;
    if (epoch > r->base)
        r->base = epoch;
    if (epoch > r->confirmed)
        __atomic_store_n(&r->confirmed, epoch, __ATOMIC_RELEASE);
}

uint64_t nvmi_ring_first_epoch(const struct nvmi_pool *pool)
{
    for (uint64_t at = nvmi_replica.taken_at; at < nvmi_replica.put_at;
         at += record_at(at)->size_bytes)
        if (!is_filler(record_at(at)))
            return record_at(at)->epoch;
    return pool->epoch + 1;
}

void nvmi_ring_rewind(uint64_t epoch)
{
    struct nvmi_replica *r = &nvmi_replica;
    while (r->taken_at < r->put_at &&
           (is_filler(record_at(r->taken_at)) || record_at(r->taken_at)->epoch <= epoch))
        r->taken_at += record_at(r->taken_at)->size_bytes;
    r->sent_at = r->taken_at;
    r->base = epoch;
}

static void mark_record(const struct nvmi_pool *pool, const struct nvm_disk_record *record)
{
    /* Read only. */
    struct nvmi_changes changes = {
        .lines = {.number = (uint32_t *)(uintptr_t)nvmi_record_numbers(record),
                  .count = record->line_count},
        .zero = (struct nvm_disk_zero *)(uintptr_t)nvmi_record_zeros(record),
        .zero_count = record->zero_count};
    nvmi_pages_mark(pool, &changes);
}

void nvmi_ring_spill(const struct nvmi_pool *pool)
{
    struct nvmi_replica *r = &nvmi_replica;
    for (; r->taken_at < r->put_at; r->taken_at += record_at(r->taken_at)->size_bytes)
        if (!is_filler(record_at(r->taken_at)))
            mark_record(pool, record_at(r->taken_at));
    r->sent_at = r->put_at;
    r->spilled = true;
}

/* Nothing is on its way: memory that has been used before is used again. */
static void begin_anew(struct nvmi_replica *r)
{
    uint64_t used = r->put_at % NVMI_RING_BYTES;
    if (r->taken_at == r->put_at && used)
        r->taken_at = r->sent_at = r->put_at += NVMI_RING_BYTES - used;
}

/* Room in one piece, waiting for the replica if it is there. False: there is none. */
static bool make_room(const struct nvmi_pool *pool, uint64_t size_bytes)
{
    struct nvmi_replica *r = &nvmi_replica;
    nvmi_ring_confirm();
    begin_anew(r);
    uint64_t rest = NVMI_RING_BYTES - r->put_at % NVMI_RING_BYTES;
    uint64_t wanted = rest < size_bytes ? rest + size_bytes : size_bytes;
    uint64_t since_ms = nvmi_now_ms(), taken_at = r->taken_at;
    while (r->put_at + wanted - r->taken_at > NVMI_RING_BYTES) {
        if (r->state != NVMI_REPLICA_UP)
            return false;
        int error = nvmi_link_step(&r->link, 1);
        nvmi_ring_confirm();
        if (r->taken_at != taken_at)
            since_ms = nvmi_now_ms();
        else if (!error && nvmi_now_ms() - since_ms > (uint64_t)r->timeout_ms)
            error = nvmi_fail(ETIMEDOUT, "replica-away", "the replica does not answer: %s",
                              strerror(ETIMEDOUT));
        taken_at = r->taken_at;
        if (error)
            nvmi_replica_lost(pool);
    }
    if (rest < size_bytes) {
        struct nvm_disk_record *filler = record_at(r->put_at);
        filler->magic = 0;
        filler->size_bytes = rest;
        if (r->sent_at == r->put_at)
            r->sent_at += rest;
        r->put_at += rest;
    }
    return true;
}

static void fill(struct nvmi_pool *pool, const struct nvmi_changes *changes,
                 struct nvm_disk_record *record)
{
    size_t count = changes->lines.count;
    unsigned char *numbers = (unsigned char *)(record + 1);
    unsigned char *zeros = numbers + nvmi_line_up(count * sizeof(uint32_t));
    unsigned char *to = zeros + nvmi_line_up(changes->zero_count * sizeof(struct nvm_disk_zero));
    memcpy(numbers, changes->lines.number, count * sizeof(uint32_t));
    if (changes->zero_count)
        memcpy(zeros, changes->zero, changes->zero_count * sizeof(struct nvm_disk_zero));
    if (changes->images)
        memcpy(to, changes->images, count * NVM_LINE_BYTES);
    for (size_t i = 0; !changes->images && i < count; i++, to += NVM_LINE_BYTES)
        memcpy(to, pool->heap + (uint64_t)changes->lines.number[i] * NVM_LINE_BYTES,
               NVM_LINE_BYTES);
}

struct nvm_disk_record *nvmi_ring_put(struct nvmi_pool *pool, const struct nvmi_changes *changes)
{
    struct nvmi_replica *r = &nvmi_replica;
    uint64_t size_bytes = nvmi_record_bytes(changes->lines.count, changes->zero_count);
    bool fits = size_bytes <= MOST_RECORD_BYTES && pool->slot.state == NVM_STATE_VALID;
    if (!r->spilled && (!fits || !make_room(pool, size_bytes))) {
        if (r->state == NVMI_REPLICA_UP) { /* it goes by pages, and at once */
            nvmi_link_close(&r->link);
            r->state = NVMI_REPLICA_AWAY;
            r->now = true;
        }
        nvmi_ring_spill(pool);
    }
    if (r->spilled) {
        nvmi_pages_mark(pool, changes);
        return NULL;
    }
    struct nvm_disk_record *record = record_at(r->put_at);
    *record = (struct nvm_disk_record){.magic = NVM_RECORD_MAGIC,
                                       .epoch = pool->epoch + 1,
                                       .size_bytes = size_bytes,
                                       .line_count = (uint32_t)changes->lines.count,
                                       .zero_count = (uint32_t)changes->zero_count};
    fill(pool, changes, record);
    r->put_at += size_bytes;
    return record;
}

/* What only the connection knows. */
static void complete(struct nvm_disk_record *record)
{
    const struct nvmi_link *link = &nvmi_replica.link;
    record->pool_tag = link->log.pool_tag;
    record->lap = link->log.lap;
    record->synced_epoch = link->peer.waits_for_disk ? link->synced_epoch : UINT64_MAX;
    uint32_t crc = nvmi_record_crc(record, nvmi_record_numbers(record), nvmi_record_zeros(record));
    record->crc = nvmi_crc32c_lines(crc, nvmi_record_images(record), record->line_count);
}

static int send_one(struct nvm_disk_record *record)
{
    struct nvmi_link *link = &nvmi_replica.link;
    uint64_t room = link->log.place.size_bytes, most = room < LAP_BYTES ? room : LAP_BYTES;
    int error = 0;
    if (record->size_bytes > room || (link->offset && link->offset + record->size_bytes > most))
        error = nvmi_link_lap(link, record->size_bytes);
    if (error)
        return error;
    if (record->size_bytes > link->log.place.size_bytes) { /* the next connection sends pages */
        nvmi_ring_spill(&nvmi_pool);
        return nvmi_fail(EMSGSIZE, "replica-away", "the replica's log is too small for a record");
    }
    complete(record);
    return nvmi_link_record(link, record);
}

int nvmi_ring_send(void)
{
    struct nvmi_replica *r = &nvmi_replica;
    while (r->sent_at < r->put_at) {
        struct nvm_disk_record *record = record_at(r->sent_at);
        uint64_t size_bytes = record->size_bytes;
        int error = is_filler(record) ? 0 : send_one(record);
        if (error)
            return error;
        r->sent_at += size_bytes;
    }
    return 0;
}
