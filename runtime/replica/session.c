/*===- session.c - one primary at a replica ---------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "session.h"
#include "base/error.h"
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define LAST_RECORDS_MS 2000

static void name_peer(int fd, char *text, size_t text_bytes)
{
    struct sockaddr_storage name;
    socklen_t size = sizeof(name);
    char host[64] = "?", port[8] = "?";
    if (getpeername(fd, (struct sockaddr *)&name, &size) == 0)
        getnameinfo((struct sockaddr *)&name, size, host, sizeof(host), port, sizeof(port),
                    NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(text, text_bytes, "%s:%s", host, port);
}

void session_end(struct replica *r, const char *text)
{
    if (r->link) {
        r->fabric->withdraw(r->memory);
        r->fabric->close(r->link);
    }
    r->link = NULL;
    r->memory = NULL;
    if (r->fd >= 0)
        close(r->fd);
    r->fd = -1;
    draft_drop(&r->draft);
    if (nvmi_pool.open)
        host_take_rest(); /* the primary may count on what its writes have brought */
    nvmi_note("%s: %s%s; it has %s%llu", r->peer, text ? "refused: " : "",
              text ? text : "the primary has disconnected",
              nvmi_pool.open ? "commit " : "no commit, ",
              nvmi_pool.open ? (unsigned long long)nvmi_pool.epoch : 0);
}

void session_greet(struct replica *r, int fd)
{
    char peer[sizeof(r->peer)];
    bool only_asks;
    name_peer(fd, peer, sizeof(peer));
    int error = 0;
    if (r->fd >= 0)
        error = nvmi_fail(EPERM, "replica-busy", "the replica %s has a primary already, %s",
                          r->path, r->peer);
    else
        error = session_handshake(r, fd, &only_asks);
    if (error) {
        nvmi_note("%s: refused: %s", peer, nvm_errormsg());
        session_refuse(fd);
    }
    if (error || only_asks) {
        close(fd);
        return;
    }
    r->fd = fd;
    r->taken = 0;
    memcpy(r->peer, peer, sizeof(r->peer));
    nvmi_wire_watch(fd);
    nvmi_note("%s: a primary has connected, over %s", peer, r->fabric->provider(r->link));
}

/*===-- Messages ------------------------------------------------------------===*/

static int expose(struct replica *r, void *memory, size_t size_bytes,
                  struct nvmi_fabric_place *place)
{
    r->fabric->withdraw(r->memory);
    r->memory = r->fabric->expose(r->link, memory, size_bytes, place);
    return r->memory ? 0 : nvmi_fail(errno, "replica-support", "%s", r->fabric->error());
}

static struct nvmi_fabric_place log_place;

static int send_lap(struct replica *r)
{
    struct nvmi_lap lap = {
        .place = log_place, .lap = nvmi_pool.slot.sequence, .next_epoch = nvmi_pool.epoch + 1};
    memcpy(&lap.pool_tag, nvmi_pool.header.uuid, sizeof(lap.pool_tag));
    return nvmi_wire_send(r->fd, NVMI_LAP, &lap, sizeof(lap));
}

static int open_log(struct replica *r)
{
    int error = expose(r, nvmi_pool.log, nvmi_pool.log_backed_bytes, &log_place);
    return error ? error : send_lap(r);
}

static int on_records(struct replica *r, const struct nvmi_records *m)
{
    if (!nvmi_pool.open)
        return nvmi_fail(EPROTO, "replica-protocol", "records for a pool that does not exist");
    int error = host_lap(m->next_epoch);
    return error ? error : open_log(r);
}

static int send_room(struct replica *r, uint64_t page_count)
{
    struct nvmi_room room;
    uint64_t size_bytes;
    int error = draft_make_room(&r->draft, page_count, &size_bytes);
    if (!error)
        error = expose(r, r->draft.arena, size_bytes, &room.place);
    return error ? error : nvmi_wire_send(r->fd, NVMI_ROOM, &room, sizeof(room));
}

static int on_pages(struct replica *r, const struct nvmi_pages *m)
{
    if (nvmi_pool.open)
        host_bring_home();
    else if (!m->whole)
        return nvmi_fail(EPROTO, "replica-protocol", "pages for a pool that does not exist");
    int error = draft_begin(&r->draft, r->path, m->whole ? &r->primary : NULL);
    return error ? error : send_room(r, m->page_count);
}

static int on_valid(struct replica *r, const struct nvmi_valid *m)
{
    r->fabric->withdraw(r->memory);
    r->memory = NULL;
    int error = draft_publish(&r->draft, r->path, r->power, m->epoch);
    if (!error)
        nvmi_note("%s: pages up to commit %llu", r->peer, (unsigned long long)m->epoch);
    return error ? error : open_log(r);
}

static int take_bells(struct replica *r)
{
    uint64_t before = r->taken;
    uint32_t lines;
    while ((lines = r->fabric->next_bell(r->link))) {
        int error = host_take((uint64_t)lines * NVM_LINE_BYTES);
        if (error)
            return error;
        r->taken++;
    }
    if (r->taken == before)
        return 0;
    host_settle();
    struct nvmi_synced synced = {.epoch = nvmi_pool.epoch};
    return r->power ? nvmi_wire_send(r->fd, NVMI_SYNCED, &synced, sizeof(synced)) : 0;
}

/* What was sent before may still be coming, another way. */
static int on_lap_wanted(struct replica *r, const struct nvmi_lap_wanted *m)
{
    if (!nvmi_pool.open || r->draft.fd >= 0)
        return nvmi_fail(EPROTO, "replica-protocol", "the log is not in use");
    int error = take_bells(r);
    for (int i = 0; !error && nvmi_pool.epoch < m->epoch && i < LAST_RECORDS_MS; i++) {
        error = r->fabric->wait(r->link, NULL, 0, 1);
        if (!error)
            error = take_bells(r);
    }
    if (!error && nvmi_pool.epoch != m->epoch)
        error =
            nvmi_fail(EPROTO, "replica-protocol", "the records of commits %llu to %llu are missing",
                      (unsigned long long)nvmi_pool.epoch + 1, (unsigned long long)m->epoch);
    if (!error)
        error = host_lap(nvmi_pool.epoch + 1);
    if (error)
        return error;
    /* The log may have become longer with the pool, too. */
    host_lengthen_log(m->record_bytes);
    return nvmi_pool.log_backed_bytes > log_place.size_bytes ? open_log(r) : send_lap(r);
}

static int on_message(struct replica *r)
{
    union {
        unsigned char bytes[NVMI_WIRE_MOST_BYTES];
        struct nvmi_records records;
        struct nvmi_pages pages;
        struct nvmi_room_wanted room_wanted;
        struct nvmi_valid valid;
        struct nvmi_lap_wanted lap_wanted;
    } m;
    enum nvmi_kind kind;
    size_t n;
    int error = nvmi_wire_next(r->fd, &kind, m.bytes, &n, 2000);
    if (error == EPROTO)
        return nvmi_fail(error, "replica-protocol", "an invalid message");
    if (error)
        return error;
    bool copies = r->draft.fd >= 0;
    if (kind == NVMI_RECORDS && n == sizeof(m.records) && !copies)
        return on_records(r, &m.records);
    if (kind == NVMI_PAGES && n == sizeof(m.pages) && !copies)
        return on_pages(r, &m.pages);
    if (kind == NVMI_ROOM_WANTED && n == sizeof(m.room_wanted) && copies)
        return send_room(r, m.room_wanted.page_count);
    if (kind == NVMI_VALID && n == sizeof(m.valid) && copies)
        return on_valid(r, &m.valid);
    if (kind == NVMI_LAP_WANTED && n == sizeof(m.lap_wanted))
        return on_lap_wanted(r, &m.lap_wanted);
    return nvmi_fail(EPROTO, "replica-protocol", "an unexpected message");
}

void session_step(struct replica *r, struct pollfd *listener, int timeout_ms)
{
    struct pollfd fds[2] = {*listener, {.fd = r->fd, .events = POLLIN}};
    int error = r->fabric->wait(r->link, fds, 2, timeout_ms), said = 0;
    listener->revents = fds[0].revents;
    /* What is in the log counts, also when the primary has died since. */
    if (r->draft.fd < 0 && nvmi_pool.open)
        said = take_bells(r);
    if (!said && fds[1].revents)
        said = on_message(r);
    bool gone = said == ECONNRESET || said == ETIMEDOUT || said == ENOTCONN || (!said && error);
    if (said && !gone) {
        char text[512];
        snprintf(text, sizeof(text), "%s", nvm_errormsg());
        session_refuse(r->fd);
        session_end(r, text);
    } else if (gone) {
        session_end(r, NULL);
    }
}
