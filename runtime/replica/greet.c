/*===- greet.c - what a primary must be like --------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Nothing is changed before all of this has been looked at, and no memory can be
 * written to.
 */
#include "base/error.h"
#include "medium/header.h"
#include "remote/runs.h"
#include "session.h"
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define PATIENCE_MS 2000

void session_refuse(int fd)
{
    struct nvmi_refused refused = {{0}};
    snprintf(refused.text, sizeof(refused.text), "%s", nvm_errormsg());
    nvmi_wire_send(fd, NVMI_REFUSED, &refused, sizeof(refused));
}

static bool is_same_layout(const struct nvm_disk_header *a, const struct nvm_disk_header *b)
{
    return a->heap_address == b->heap_address && a->arena_size_bytes == b->arena_size_bytes &&
           a->page_count == b->page_count && a->directory_offset == b->directory_offset &&
           a->bitmap_offset == b->bitmap_offset && a->table_offset == b->table_offset &&
           a->table_size_bytes == b->table_size_bytes && a->twin_offset == b->twin_offset &&
           a->twin_size_bytes == b->twin_size_bytes && a->page_offset == b->page_offset;
}

static int judge_epoch(const struct replica *r, const struct nvmi_hello *hello)
{
    const struct nvm_disk_run *last = nvmi_runs_last(nvmi_runs_of(nvmi_pool.home));
    unsigned long long held = nvmi_pool.epoch, offered = hello->epoch;
    if (held > offered)
        return nvmi_fail(EPERM, "replica-epoch",
                         "the replica %s has commit %llu, but the pool to be copied to it only "
                         "%llu: start the program on the replica's pool, or remove that pool",
                         r->path, held, offered);
    if (last && nvmi_runs_hold(&hello->runs, last, nvmi_pool.epoch))
        return 0;
    return nvmi_fail(EPERM, "replica-epoch",
                     "the replica %s, at commit %llu, has commits that this pool does not have: "
                     "the two have diverged; remove one of the two pools",
                     r->path, held);
}

int session_judge(const struct replica *r, const struct nvmi_hello *hello)
{
    const struct nvm_disk_header *h = &hello->header;
    if (nvmi_header_check(h, "the pool", h->pool_size_bytes) != 0) {
        char text[512];
        snprintf(text, sizeof(text), "%.400s", nvm_errormsg());
        return nvmi_fail(EPERM, "replica-layout", "%s", text);
    }
    if (!nvmi_pool.open)
        return 0;
    if (memcmp(h->uuid, nvmi_pool.header.uuid, sizeof(h->uuid)) != 0)
        return nvmi_fail(EPERM, "replica-pool", "the replica %s belongs to another pool", r->path);
    if (!is_same_layout(h, &nvmi_pool.header))
        return nvmi_fail(EPERM, "replica-layout",
                         "the replica %s has another layout or address than the pool", r->path);
    return judge_epoch(r, hello);
}

static int prove(const struct replica *r, const char *who, const unsigned char *nonce,
                 const unsigned char *peers_nonce, const void *text, size_t text_bytes,
                 unsigned char proof[NVMI_TOKEN_BYTES])
{
    return nvmi_wire_proof(r->fabric, r->key.bytes, r->key.size_bytes, who, nonce, peers_nonce,
                           text, text_bytes, proof);
}

static int check_proof(const struct replica *r, const struct nvmi_challenge *challenge,
                       const struct nvmi_hello *hello)
{
    const size_t skip = offsetof(struct nvmi_hello, only_asks);
    unsigned char proof[NVMI_TOKEN_BYTES], different = 0;
    int error = prove(r, "primary", challenge->nonce, hello->nonce, (const char *)hello + skip,
                      sizeof(*hello) - skip, proof);
    for (unsigned i = 0; i < sizeof(proof); i++)
        different |= proof[i] ^ hello->proof[i];
    return error || different
               ? nvmi_fail(EPERM, "replica-key", "the primary does not have the replica's key")
               : 0;
}

static int welcome(struct replica *r, int fd, const struct nvmi_challenge *challenge,
                   const struct nvmi_hello *hello)
{
    struct nvmi_welcome w = {.holds = nvmi_pool.open,
                             .epoch = nvmi_pool.open ? nvmi_pool.epoch : 0,
                             .waits_for_disk = r->power};
    const size_t skip = offsetof(struct nvmi_welcome, holds);
    size_t size_bytes = sizeof(w.address);
    int error = r->fabric->port_address(r->port, w.address, &size_bytes);
    if (error)
        return nvmi_fail(error, "replica-support", "%s", r->fabric->error());
    w.address_bytes = size_bytes;
    if (getrandom(w.token, sizeof(w.token), 0) != sizeof(w.token))
        return nvmi_fail(EIO, "pool-io", "no random number");
    error = prove(r, "replica", hello->nonce, challenge->nonce, (const char *)&w + skip,
                  sizeof(w) - skip, w.proof);
    if (!error)
        error = nvmi_wire_send(fd, NVMI_WELCOME, &w, sizeof(w));
    if (error || hello->only_asks)
        return error;
    r->link = r->fabric->accept(r->port, w.token, PATIENCE_MS);
    return r->link ? 0 : nvmi_fail(errno, "replica-away", "%s", r->fabric->error());
}

int session_handshake(struct replica *r, int fd, bool *only_asks)
{
    struct nvmi_challenge challenge = {.wants_key = r->key.size_bytes > 0};
    struct nvmi_hello hello;
    *only_asks = false;
    if (getrandom(challenge.nonce, sizeof(challenge.nonce), 0) != sizeof(challenge.nonce))
        return nvmi_fail(EIO, "pool-io", "no random number");
    int error = nvmi_wire_send(fd, NVMI_CHALLENGE, &challenge, sizeof(challenge));
    if (!error)
        error = nvmi_wire_expect(fd, NVMI_HELLO, &hello, sizeof(hello), PATIENCE_MS);
    if (error == EPROTO || error == ETIMEDOUT)
        return nvmi_fail(EPERM, "replica-protocol",
                         "the client does not speak version %u of the replica's protocol",
                         NVMI_WIRE_VERSION);
    if (error)
        return nvmi_fail(error, "replica-away", "the client has disconnected: %s", strerror(error));
    *only_asks = hello.only_asks;
    r->primary = hello.header;
    if ((error = check_proof(r, &challenge, &hello)) || (error = session_judge(r, &hello)))
        return error;
    return welcome(r, fd, &challenge, &hello);
}
