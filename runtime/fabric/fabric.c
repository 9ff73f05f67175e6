/*===- fabric.c - one-sided writes by libfabric -----------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Connected endpoints; which provider serves them libfabric decides (FI_PROVIDER in
 * the environment overrides it). A write completes when its bytes are in the peer's
 * memory (FI_DELIVERY_COMPLETE), and some carry a number that the peer is told.
 */
#define _GNU_SOURCE
#include "remote/fabric.h"
#include "base/clock.h"
#include <errno.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define API FI_VERSION(1, 11)
#define BELLS 4096u /* more writes than a provider lets be under way */
#define MOST_DESCRIPTORS 8u
#define AT_ONCE 16u /* events */

struct nvmi_fabric_port {
    struct fi_info *info;
    struct fid_fabric *fabric;
    struct fid_eq *eq;
    struct fid_pep *endpoint;
};

struct nvmi_fabric_link {
    struct fi_info *info;
    struct fid_fabric *fabric; /* of the port's, if it was accepted there */
    bool owns_fabric;
    struct fid_eq *eq;
    struct fid_domain *domain;
    struct fid_cq *cq;
    struct fid_ep *endpoint;
    uint64_t done, next_key;
    bool takes_receives; /* a bell uses up a posted receive */
    uint32_t bell[BELLS];
    unsigned bell_first, bell_count;
};

struct nvmi_fabric_memory {
    struct fid_mr *region;
};

static _Thread_local char message[256];

static const char *error_text(void)
{
    return message;
}

/* Gives back an errno for what libfabric says. */
static int failed(const char *what, long code)
{
    int number = (int)(code < 0 ? -code : code);
    snprintf(message, sizeof(message), "%s: %s", what, fi_strerror(number));
    return number > 0 && number < FI_ERRNO_OFFSET ? number : EIO;
}

static void *failed_null(const char *what, long code)
{
    errno = failed(what, code);
    return NULL;
}

static int hmac(const void *key, size_t key_bytes, const void *data, size_t size_bytes,
                unsigned char out[NVMI_TOKEN_BYTES])
{
    unsigned length = 0;
    return HMAC(EVP_sha256(), key, (int)key_bytes, data, size_bytes, out, &length) &&
                   length == NVMI_TOKEN_BYTES
               ? 0
               : EIO;
}

static struct fi_info *hints(void)
{
    struct fi_info *h = fi_allocinfo();
    if (!h)
        return NULL;
    h->ep_attr->type = FI_EP_MSG;
    h->caps = FI_MSG | FI_RMA;
    h->mode = FI_RX_CQ_DATA;
    h->domain_attr->threading = FI_THREAD_SAFE;
    h->domain_attr->mr_mode = FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY;
    return h;
}

static int open_queue(struct fid_fabric *fabric, struct fid_eq **eq)
{
    struct fi_eq_attr attr = {.wait_obj = FI_WAIT_UNSPEC};
    return fi_eq_open(fabric, &attr, eq, NULL);
}

/*===-- Links ---------------------------------------------------------------===*/

static void close_fid(struct fid *fid)
{
    if (fid)
        fi_close(fid);
}

static void close_link(struct nvmi_fabric_link *link)
{
    if (!link)
        return;
    if (link->endpoint)
        fi_shutdown(link->endpoint, 0);
    close_fid(link->endpoint ? &link->endpoint->fid : NULL);
    close_fid(link->cq ? &link->cq->fid : NULL);
    close_fid(link->domain ? &link->domain->fid : NULL);
    close_fid(link->eq ? &link->eq->fid : NULL);
    if (link->owns_fabric)
        close_fid(&link->fabric->fid);
    if (link->info)
        fi_freeinfo(link->info);
    free(link);
}

static int post_receive(struct nvmi_fabric_link *link)
{
    return link->takes_receives ? (int)fi_recv(link->endpoint, NULL, 0, NULL, 0, NULL) : 0;
}

/* Domain, queues and endpoint for link->info, on link->fabric. 0 or what libfabric says. */
static int open_endpoint(struct nvmi_fabric_link *link)
{
    struct fi_cq_attr attr = {.size = BELLS, .format = FI_CQ_FORMAT_DATA, .wait_obj = FI_WAIT_FD};
    int code = open_queue(link->fabric, &link->eq);
    if (!code)
        code = fi_domain(link->fabric, link->info, &link->domain, NULL);
    if (!code)
        code = fi_cq_open(link->domain, &attr, &link->cq, NULL);
    if (!code)
        code = fi_endpoint(link->domain, link->info, &link->endpoint, NULL);
    if (!code)
        code = fi_ep_bind(link->endpoint, &link->eq->fid, 0);
    if (!code)
        code = fi_ep_bind(link->endpoint, &link->cq->fid, FI_TRANSMIT | FI_RECV);
    if (!code)
        code = fi_enable(link->endpoint);
    link->takes_receives = link->info->mode & FI_RX_CQ_DATA;
    for (size_t i = 0; !code && i < link->info->rx_attr->size; i++)
        code = post_receive(link);
    return code;
}

/* Waits for this event. 0 or an errno. */
static int expect(struct fid_eq *eq, uint32_t wanted, int timeout_ms)
{
    struct {
        struct fi_eq_cm_entry entry;
        unsigned char data[256];
    } got;
    uint32_t event = 0;
    ssize_t n = fi_eq_sread(eq, &event, &got, sizeof(got), timeout_ms, 0);
    if (n == -FI_EAVAIL) {
        struct fi_eq_err_entry error = {0};
        n = fi_eq_readerr(eq, &error, 0);
        return failed("the connection", n < 0 ? n : error.err);
    }
    if (n < 0)
        return failed("the connection", n == -FI_EAGAIN ? FI_ETIMEDOUT : n);
    return event == wanted ? 0 : failed("the connection", FI_ECONNABORTED);
}

/* The link, once it is there; else closes it. `code`: of what was begun. NULL with errno. */
static struct nvmi_fabric_link *connected(struct nvmi_fabric_link *link, int code, int timeout_ms)
{
    int error = code ? failed("the fabric", code) : expect(link->eq, FI_CONNECTED, timeout_ms);
    if (!error)
        return link;
    close_link(link);
    errno = error;
    return NULL;
}

static struct nvmi_fabric_link *connect_link(const void *address, size_t address_bytes,
                                             const unsigned char token[NVMI_TOKEN_BYTES],
                                             int timeout_ms)
{
    struct nvmi_fabric_link *link = calloc(1, sizeof(*link));
    struct fi_info *wanted = hints();
    int code = -FI_ENOMEM;
    if (link && wanted && (wanted->dest_addr = malloc(address_bytes))) {
        memcpy(wanted->dest_addr, address, address_bytes);
        wanted->dest_addrlen = address_bytes;
        code = fi_getinfo(API, NULL, NULL, 0, wanted, &link->info);
    }
    if (wanted)
        fi_freeinfo(wanted);
    if (!code)
        code = fi_fabric(link->info->fabric_attr, &link->fabric, NULL);
    if (!code) {
        link->owns_fabric = true;
        code = open_endpoint(link);
    }
    if (!code)
        code = fi_connect(link->endpoint, link->info->dest_addr, token, NVMI_TOKEN_BYTES);
    return connected(link, code, timeout_ms);
}

/*===-- The port ------------------------------------------------------------===*/

static void close_port(struct nvmi_fabric_port *port)
{
    if (!port)
        return;
    close_fid(port->endpoint ? &port->endpoint->fid : NULL);
    close_fid(port->eq ? &port->eq->fid : NULL);
    close_fid(port->fabric ? &port->fabric->fid : NULL);
    if (port->info)
        fi_freeinfo(port->info);
    free(port);
}

static struct nvmi_fabric_port *listen_port(const char *host)
{
    struct nvmi_fabric_port *port = calloc(1, sizeof(*port));
    struct fi_info *wanted = hints();
    int code = -FI_ENOMEM;
    if (port && wanted)
        code = fi_getinfo(API, host, NULL, FI_SOURCE, wanted, &port->info);
    if (wanted)
        fi_freeinfo(wanted);
    if (!code)
        code = fi_fabric(port->info->fabric_attr, &port->fabric, NULL);
    if (!code)
        code = open_queue(port->fabric, &port->eq);
    if (!code)
        code = fi_passive_ep(port->fabric, port->info, &port->endpoint, NULL);
    if (!code)
        code = fi_pep_bind(port->endpoint, &port->eq->fid, 0);
    if (!code)
        code = fi_listen(port->endpoint);
    if (!code)
        return port;
    close_port(port);
    return failed_null("the fabric", code);
}

static int port_address(struct nvmi_fabric_port *port, void *address, size_t *size_bytes)
{
    int code = fi_getname(&port->endpoint->fid, address, size_bytes);
    return code ? failed("the fabric", code) : 0;
}

static struct nvmi_fabric_link *accept_request(struct nvmi_fabric_port *port, struct fi_info *info,
                                               int timeout_ms)
{
    struct nvmi_fabric_link *link = calloc(1, sizeof(*link));
    if (!link) {
        fi_reject(port->endpoint, info->handle, NULL, 0);
        fi_freeinfo(info);
        return failed_null("the fabric", FI_ENOMEM);
    }
    link->info = info;
    link->fabric = port->fabric;
    int code = open_endpoint(link);
    if (!code)
        code = fi_accept(link->endpoint, NULL, 0);
    return connected(link, code, timeout_ms);
}

static bool is_same(const unsigned char *a, const unsigned char *b)
{
    unsigned char different = 0;
    for (unsigned i = 0; i < NVMI_TOKEN_BYTES; i++)
        different |= a[i] ^ b[i];
    return different == 0;
}

static struct nvmi_fabric_link *accept_link(struct nvmi_fabric_port *port,
                                            const unsigned char token[NVMI_TOKEN_BYTES],
                                            int timeout_ms)
{
    uint64_t end_ms = nvmi_now_ms() + (uint64_t)timeout_ms;
    for (uint64_t at_ms; (at_ms = nvmi_now_ms()) < end_ms;) {
        struct {
            struct fi_eq_cm_entry entry;
            unsigned char data[256];
        } got;
        uint32_t event = 0;
        int left_ms = (int)(end_ms - at_ms);
        ssize_t n = fi_eq_sread(port->eq, &event, &got, sizeof(got), left_ms, 0);
        if (n == -FI_EAVAIL) {
            struct fi_eq_err_entry error = {0};
            fi_eq_readerr(port->eq, &error, 0);
        }
        if (n < 0 || event != FI_CONNREQ)
            continue;
        if ((size_t)n >= sizeof(got.entry) + NVMI_TOKEN_BYTES && is_same(got.entry.data, token))
            return accept_request(port, got.entry.info, left_ms);
        fi_reject(port->endpoint, got.entry.info->handle, NULL, 0);
        fi_freeinfo(got.entry.info);
    }
    return failed_null("the connection", FI_ETIMEDOUT);
}

static const char *provider(const struct nvmi_fabric_link *link)
{
    return link->info->fabric_attr->prov_name;
}

/*===-- Memory --------------------------------------------------------------===*/

static struct nvmi_fabric_memory *reg(struct nvmi_fabric_link *link, void *memory,
                                      size_t size_bytes, uint64_t access)
{
    struct nvmi_fabric_memory *m = calloc(1, sizeof(*m));
    int code = m ? fi_mr_reg(link->domain, memory, size_bytes, access, 0, ++link->next_key, 0,
                             &m->region, NULL)
                 : -FI_ENOMEM;
    if (!code)
        return m;
    free(m);
    return failed_null("registered memory", code);
}

static struct nvmi_fabric_memory *expose(struct nvmi_fabric_link *link, void *memory,
                                         size_t size_bytes, struct nvmi_fabric_place *place)
{
    struct nvmi_fabric_memory *m = reg(link, memory, size_bytes, FI_REMOTE_WRITE);
    bool is_virtual = link->info->domain_attr->mr_mode & FI_MR_VIRT_ADDR;
    if (m)
        *place = (struct nvmi_fabric_place){.address = is_virtual ? (uintptr_t)memory : 0,
                                            .key = fi_mr_key(m->region),
                                            .size_bytes = size_bytes};
    return m;
}

static struct nvmi_fabric_memory *use(struct nvmi_fabric_link *link, void *memory,
                                      size_t size_bytes)
{
    return reg(link, memory, size_bytes, FI_WRITE);
}

static void withdraw(struct nvmi_fabric_memory *memory)
{
    if (!memory)
        return;
    fi_close(&memory->region->fid);
    free(memory);
}

/*===-- Writes --------------------------------------------------------------===*/

static int took(struct nvmi_fabric_link *link, const struct fi_cq_data_entry *entry)
{
    if (!(entry->flags & FI_REMOTE_CQ_DATA)) {
        uint64_t number = (uint64_t)(uintptr_t)entry->op_context;
        link->done = number > link->done ? number : link->done;
        return 0;
    }
    link->bell[(link->bell_first + link->bell_count++) % BELLS] = (uint32_t)entry->data;
    int code = post_receive(link);
    return code ? failed("the fabric", code) : 0;
}

static int queue_failed(struct nvmi_fabric_link *link, ssize_t n)
{
    struct fi_cq_err_entry error = {0};
    if (n == -FI_EAVAIL && fi_cq_readerr(link->cq, &error, 0) > 0)
        n = -error.err;
    failed("the connection", n);
    return ENOTCONN;
}

/* Takes what has happened. `*some`: whether anything has. */
static int take(struct nvmi_fabric_link *link, bool *some)
{
    struct fi_cq_data_entry entry[AT_ONCE];
    ssize_t n = -FI_EAGAIN;
    /* What there is no room for waits where it is. */
    while (link->bell_count + AT_ONCE <= BELLS && (n = fi_cq_read(link->cq, entry, AT_ONCE)) > 0) {
        *some = true;
        for (ssize_t i = 0; i < n; i++) {
            int error = took(link, &entry[i]);
            if (error)
                return error;
        }
    }
    if (n < 0 && n != -FI_EAGAIN)
        return queue_failed(link, n);
    struct fi_eq_cm_entry cm;
    uint32_t event = 0;
    ssize_t m = fi_eq_read(link->eq, &event, &cm, sizeof(cm), 0);
    if ((m >= 0 && event == FI_SHUTDOWN) || (m < 0 && m != -FI_EAGAIN)) {
        failed("the connection", FI_ENOTCONN);
        return ENOTCONN;
    }
    return 0;
}

static int write_some(struct nvmi_fabric_link *link, const struct nvmi_fabric_memory *from_memory,
                      const void *from, size_t size_bytes, const struct nvmi_fabric_place *place,
                      uint64_t offset, uint32_t bell, uint64_t number)
{
    struct iovec iov = {.iov_base = (void *)(uintptr_t)from, .iov_len = size_bytes};
    struct fi_rma_iov to = {.addr = place->address + offset, .len = size_bytes, .key = place->key};
    void *desc = fi_mr_desc(from_memory->region);
    struct fi_msg_rma msg = {.msg_iov = &iov,
                             .desc = &desc,
                             .iov_count = 1,
                             .rma_iov = &to,
                             .rma_iov_count = 1,
                             .context = (void *)(uintptr_t)number,
                             .data = bell};
    uint64_t flags = FI_COMPLETION | FI_DELIVERY_COMPLETE | (bell ? FI_REMOTE_CQ_DATA : 0);
    if (offset > place->size_bytes || size_bytes > place->size_bytes - offset)
        return failed("a write beyond the registered memory", FI_EINVAL);
    ssize_t code;
    while ((code = fi_writemsg(link->endpoint, &msg, flags)) == -FI_EAGAIN) {
        bool some = false;
        int error = take(link, &some);
        if (error)
            return error;
    }
    return code ? failed("the connection", code) : 0;
}

static int wait_some(struct nvmi_fabric_link *link, struct pollfd *more, unsigned count,
                     int timeout_ms)
{
    struct pollfd fds[MOST_DESCRIPTORS + 1];
    struct fid *fid = &link->cq->fid;
    bool some = false;
    int error = take(link, &some), fd = -1;
    if (error || count > MOST_DESCRIPTORS)
        return error ? error : EINVAL;
    if (some || fi_trywait(link->fabric, &fid, 1) != FI_SUCCESS)
        timeout_ms = 0;
    if ((error = fi_control(fid, FI_GETWAIT, &fd)))
        return failed("the fabric", error);
    for (unsigned i = 0; i < count; i++)
        fds[i] = more[i];
    fds[count] = (struct pollfd){.fd = fd, .events = POLLIN};
    if (poll(fds, count + 1, timeout_ms) < 0 && errno != EINTR)
        return errno;
    for (unsigned i = 0; i < count; i++)
        more[i].revents = fds[i].revents;
    return take(link, &some);
}

static uint64_t done(const struct nvmi_fabric_link *link)
{
    return link->done;
}

static uint32_t next_bell(struct nvmi_fabric_link *link)
{
    if (!link->bell_count)
        return 0;
    uint32_t bell = link->bell[link->bell_first];
    link->bell_first = (link->bell_first + 1) % BELLS;
    link->bell_count--;
    return bell;
}

__attribute__((visibility("default"))) extern const struct nvmi_fabric nvmi_fabric_module;
const struct nvmi_fabric nvmi_fabric_module = {
    .version = NVMI_FABRIC_VERSION,
    .error = error_text,
    .hmac = hmac,
    .listen = listen_port,
    .port_address = port_address,
    .accept = accept_link,
    .close_port = close_port,
    .connect = connect_link,
    .provider = provider,
    .close = close_link,
    .expose = expose,
    .use = use,
    .withdraw = withdraw,
    .write = write_some,
    .wait = wait_some,
    .done = done,
    .next_bell = next_bell,
};
