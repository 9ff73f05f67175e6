/*===- backup.c - checkpoints of regions ------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * A file, or a file in memory, with two heads and two bodies. Save k writes body
 * k % 2, waits, and then head k % 2: the head with the greater number counts. The
 * head holds CRCs of the parts of the body, so that a torn save is not taken for
 * one, and a damaged one is reported.
 *
 * Before the first body head 0 is that of save 0, which holds nothing: by it a file
 * of ours is known from any other. After the first save both heads are its own. So one head at
 * least is whole, whatever was cut: when none is, the file is damaged.
 */
#define _GNU_SOURCE
#include "nvmove/backup.h"
#include "base/crc32c.h"
#include "base/error.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC 0x50554b4341424d56ull
#define HEAD_BYTES 65536u
#define MOST_ITEMS 512u
#define MOST_THREADS 64u
#define CHUNK_BYTES (1ull << 20) /* what one thread takes at a time */
#define NO_REGION UINT32_MAX

/* A region, or a pointer (size 0). */
struct disk_item {
    char name[48];
    uint64_t size_bytes;
    uint64_t offset; /* pointer: in the region */
    uint32_t region; /* pointer: its number, or NO_REGION */
    uint32_t crc;    /* region: of its bytes */
    unsigned char unused[48];
};
struct disk_head {
    uint64_t magic, sequence;
    uint32_t count, crc; /* of the fields before, and the items */
    unsigned char unused[40];
    struct disk_item item[MOST_ITEMS];
};
_Static_assert(sizeof(struct disk_head) <= HEAD_BYTES, "fits");

struct item {
    char name[48];
    unsigned char *address;
    uint64_t size_bytes;
};

struct nvm_backup {
    int fd;
    bool in_memory;
    bool locked; /* no other context saves to the file */
    unsigned threads;
    unsigned count;
    uint64_t sequence; /* of the last save, 0: none */
    struct item item[MOST_ITEMS];
    struct disk_head head; /* read or to be written */
};

/* Has the file nothing in it but zeros, as a crash may leave it before the first save? */
static bool is_blank(int fd, uint64_t size_bytes)
{
    char bytes[4096];
    if (size_bytes > 2 * HEAD_BYTES)
        return false;
    for (off_t at = 0;;) {
        ssize_t n = pread(fd, bytes, sizeof(bytes), at);
        if (n <= 0)
            return n == 0;
        for (ssize_t i = 0; i < n; i++)
            if (bytes[i])
                return false;
        at += n;
    }
}

static bool has_magic(int fd, off_t at)
{
    uint64_t magic;
    return pread(fd, &magic, sizeof(magic), at) == sizeof(magic) && magic == MAGIC;
}

/* 0, or an errno with its message; the file is only read. */
static int check_file(int fd, const char *path)
{
    struct stat file;
    if (fstat(fd, &file) != 0)
        return nvmi_fail(errno, "backup", "%s: %s", path, strerror(errno));
    if (S_ISREG(file.st_mode) &&
        (has_magic(fd, 0) || has_magic(fd, HEAD_BYTES) || is_blank(fd, (uint64_t)file.st_size)))
        return 0;
    return nvmi_fail(EINVAL, "backup-foreign", "%s holds something else than a checkpoint", path);
}

struct nvm_backup *nvm_backup_open(const char *path, unsigned threads)
{
    struct nvm_backup *b = NULL;
    if (threads < 1 || threads > MOST_THREADS) {
        errno =
            nvmi_fail(EINVAL, "backup", "%u threads: there must be 1 to %u", threads, MOST_THREADS);
        return NULL;
    }
    int fd = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600)
                  : memfd_create("nvm_backup", MFD_CLOEXEC);
    int refused = fd >= 0 && path ? check_file(fd, path) : 0;
    if (refused) {
        close(fd);
        errno = refused;
        return NULL;
    }
    if (fd >= 0 && !(b = calloc(1, sizeof(*b))))
        close(fd);
    if (!b) {
        int error = fd < 0 ? errno : ENOMEM;
        errno = nvmi_fail(error, "backup", "%s: %s", path ? path : "memory", strerror(error));
        return NULL;
    }
    b->fd = fd;
    b->in_memory = !path;
    b->threads = threads;
    return b;
}

void nvm_backup_close(struct nvm_backup *b)
{
    if (!b)
        return;
    close(b->fd);
    free(b);
}

static int add(struct nvm_backup *b, const char *name, void *address, uint64_t size_bytes)
{
    if (strlen(name) >= sizeof(b->item[0].name) || b->count == MOST_ITEMS || !address)
        return nvmi_fail(EINVAL, "backup", "%.60s: too long a name, too many, or no address", name);
    for (unsigned i = 0; i < b->count; i++)
        if (strcmp(b->item[i].name, name) == 0)
            return nvmi_fail(EEXIST, "backup", "%s is registered twice", name);
    struct item *item = &b->item[b->count++];
    strcpy(item->name, name);
    item->address = address;
    item->size_bytes = size_bytes;
    return 0;
}

int nvm_backup_region(struct nvm_backup *b, const char *name, void *address,
                      unsigned long size_bytes)
{
    return size_bytes ? add(b, name, address, size_bytes)
                      : nvmi_fail(EINVAL, "backup", "region %s has no bytes", name);
}

int nvm_backup_pointer(struct nvm_backup *b, const char *name, void *slot)
{
    return add(b, name, slot, 0);
}

/*===-- Copying by several threads ------------------------------------------===*/

struct chunk {
    unsigned char *address;
    uint64_t size_bytes, file_offset;
    uint32_t crc;
};
struct copying {
    int fd;
    bool save;
    struct chunk *chunk;
    size_t count, next; /* next: atomic */
    int error;          /* atomic */
};

static int transfer(const struct copying *c, const struct chunk *chunk)
{
    for (uint64_t done = 0; done < chunk->size_bytes;) {
        unsigned char *p = chunk->address + done;
        uint64_t left = chunk->size_bytes - done;
        off_t at = (off_t)(chunk->file_offset + done);
        ssize_t n = c->save ? pwrite(c->fd, p, left, at) : pread(c->fd, p, left, at);
        if (n == 0)
            return EINVAL; /* the file is too short */
        if (n < 0 && errno != EINTR)
            return errno;
        done += n > 0 ? (uint64_t)n : 0;
    }
    return 0;
}

static void *copy_chunks(void *argument)
{
    struct copying *c = argument;
    size_t i;
    while ((i = __atomic_fetch_add(&c->next, 1, __ATOMIC_RELAXED)) < c->count) {
        int error = transfer(c, &c->chunk[i]);
        c->chunk[i].crc = nvmi_crc32c(0, c->chunk[i].address, c->chunk[i].size_bytes);
        if (error)
            __atomic_store_n(&c->error, error, __ATOMIC_RELAXED);
    }
    return NULL;
}

static void run(struct copying *c, unsigned threads)
{
    pthread_t other[MOST_THREADS];
    unsigned started = 0;
    /* With fewer threads than asked for it takes longer. */
    while (started + 1 < threads && pthread_create(&other[started], NULL, copy_chunks, c) == 0)
        started++;
    copy_chunks(c);
    for (unsigned i = 0; i < started; i++)
        pthread_join(other[i], NULL);
}

static uint64_t chunks_of(const struct item *item)
{
    return (item->size_bytes + CHUNK_BYTES - 1) / CHUNK_BYTES;
}

/* Saves or loads all regions; crc[i] becomes that of item i: of its chunks' CRCs. */
static int copy_regions(struct nvm_backup *b, uint64_t which, bool save, uint32_t *crc)
{
    struct copying c = {.fd = b->fd, .save = save};
    uint64_t body = 0, at = 0;
    for (unsigned i = 0; i < b->count; i++) {
        c.count += chunks_of(&b->item[i]);
        body += b->item[i].size_bytes;
    }
    c.chunk = calloc(c.count + 1, sizeof(*c.chunk));
    if (!c.chunk)
        return ENOMEM;
    uint64_t file_offset = 2 * HEAD_BYTES + which * ((body + 4095) / 4096 * 4096);
    for (unsigned i = 0; i < b->count; i++)
        for (uint64_t done = 0; done < b->item[i].size_bytes; done += CHUNK_BYTES) {
            uint64_t left = b->item[i].size_bytes - done;
            uint64_t n = left < CHUNK_BYTES ? left : CHUNK_BYTES;
            c.chunk[at++] = (struct chunk){b->item[i].address + done, n, file_offset, 0};
            file_offset += n;
        }
    run(&c, b->threads);
    at = 0;
    for (unsigned i = 0; i < b->count; i++) {
        crc[i] = 0;
        for (uint64_t k = 0; k < chunks_of(&b->item[i]); k++, at++)
            crc[i] = nvmi_crc32c(crc[i], &c.chunk[at].crc, sizeof(c.chunk[at].crc));
    }
    free(c.chunk);
    return c.error;
}

/*===-- Heads ---------------------------------------------------------------===*/

static uint32_t head_crc(const struct disk_head *h)
{
    uint32_t crc = nvmi_crc32c(0, h, offsetof(struct disk_head, crc));
    return nvmi_crc32c(crc, h->item, h->count * sizeof(h->item[0]));
}

static bool read_one_head(const struct nvm_backup *b, unsigned which, struct disk_head *h)
{
    return pread(b->fd, h, sizeof(*h), which * (off_t)HEAD_BYTES) == sizeof(*h) &&
           h->magic == MAGIC && h->count <= MOST_ITEMS && h->crc == head_crc(h);
}

/* The newest whole head into b->head. 0; ENOENT, nothing was saved yet; or an errno with
 * its message. */
static int read_head(struct nvm_backup *b)
{
    struct disk_head *h = malloc(sizeof(*h));
    struct stat file;
    bool any = false;
    b->sequence = 0;
    for (unsigned which = 0; h && which < 2; which++) {
        if (!read_one_head(b, which, h))
            continue;
        any = true;
        if (h->sequence <= b->sequence)
            continue;
        b->head = *h;
        b->sequence = h->sequence;
    }
    free(h);
    if (!h || fstat(b->fd, &file) != 0)
        return nvmi_fail(h ? errno : ENOMEM, "backup", "the checkpoint cannot be read");
    if (b->sequence)
        return 0;
    if (any || is_blank(b->fd, (uint64_t)file.st_size))
        return nvmi_fail(ENOENT, "backup", "there is no checkpoint");
    return nvmi_fail(EINVAL, "backup-damaged", "both heads of the checkpoint are damaged");
}

static int find_target(const struct nvm_backup *b, const struct item *pointer,
                       struct disk_item *out)
{
    unsigned char *target;
    memcpy(&target, pointer->address, sizeof(target));
    out->region = NO_REGION;
    if (!target)
        return 0;
    for (unsigned i = 0; i < b->count && out->region == NO_REGION; i++) {
        uint64_t offset = (uint64_t)(target - b->item[i].address);
        /* Just after a region counts for it unless another begins there. */
        if (b->item[i].size_bytes && offset < b->item[i].size_bytes) {
            out->region = i;
            out->offset = offset;
        }
    }
    for (unsigned i = 0; i < b->count && out->region == NO_REGION; i++)
        if (b->item[i].size_bytes && target == b->item[i].address + b->item[i].size_bytes) {
            out->region = i;
            out->offset = b->item[i].size_bytes;
        }
    return out->region == NO_REGION
               ? nvmi_fail(EFAULT, "backup", "pointer %s leads into no region", pointer->name)
               : 0;
}

static int failed(int error, const char *what)
{
    return nvmi_fail(error, "backup", "the checkpoint could not be %s: %s", what, strerror(error));
}

static int check_items(const struct nvm_backup *b)
{
    bool same = b->head.count == b->count;
    for (unsigned i = 0; same && i < b->count; i++)
        same = strcmp(b->head.item[i].name, b->item[i].name) == 0 &&
               b->head.item[i].size_bytes == b->item[i].size_bytes;
    return same ? 0
                : nvmi_fail(ENOEXEC, "backup", "the checkpoint holds other regions or pointers");
}

static int wait_for_file(const struct nvm_backup *b)
{
    return b->in_memory || fdatasync(b->fd) == 0 ? 0 : errno;
}

/* 0 or an errno. */
static int write_head(const struct nvm_backup *b, unsigned which)
{
    errno = 0;
    if (pwrite(b->fd, &b->head, sizeof(b->head), which * (off_t)HEAD_BYTES) != sizeof(b->head))
        return errno ? errno : EIO;
    return wait_for_file(b);
}

/* For as long as the context lives nobody else saves to the file. Then, what was saved
 * last: 0, or an errno with its message. */
static int begin_saving(struct nvm_backup *b)
{
    if (b->locked)
        return 0;
    if (!b->in_memory && flock(b->fd, LOCK_EX | LOCK_NB) != 0)
        return nvmi_fail(errno == EWOULDBLOCK ? EBUSY : errno, "backup",
                         "another context saves to the file");
    b->locked = true;
    int error = read_head(b);
    if (error == ENOENT) {
        b->head = (struct disk_head){.magic = MAGIC};
        b->head.crc = head_crc(&b->head);
        error = write_head(b, 0);
        if (error)
            failed(error, "written");
    }
    if (error) {
        b->locked = false;
        flock(b->fd, LOCK_UN);
    }
    return error;
}

int nvm_backup_save(struct nvm_backup *b)
{
    uint32_t crc[MOST_ITEMS];
    struct disk_head *h = &b->head;
    int error = begin_saving(b);
    /* The bodies lie where the sizes put them: other ones would overwrite the save
     * that counts. */
    if (!error && b->sequence)
        error = check_items(b);
    if (error)
        return error;
    *h = (struct disk_head){.magic = MAGIC, .sequence = b->sequence + 1, .count = b->count};
    for (unsigned i = 0; i < b->count; i++) {
        memcpy(h->item[i].name, b->item[i].name, sizeof(h->item[i].name));
        h->item[i].size_bytes = b->item[i].size_bytes;
    }
    for (unsigned i = 0; i < b->count && !error; i++)
        if (!b->item[i].size_bytes)
            error = find_target(b, &b->item[i], &h->item[i]);
    if (error)
        return error;
    error = copy_regions(b, h->sequence % 2, true, crc);
    if (error)
        return failed(error, "written");
    for (unsigned i = 0; i < b->count; i++)
        h->item[i].crc = crc[i];
    h->crc = head_crc(h);
    error = wait_for_file(b);
    if (!error)
        error = write_head(b, h->sequence % 2);
    if (!error && h->sequence == 1)
        error = write_head(b, 0);
    if (error)
        return failed(error, "written");
    b->sequence = h->sequence;
    return 0;
}

int nvm_backup_load(struct nvm_backup *b)
{
    uint32_t crc[MOST_ITEMS];
    int error = read_head(b);
    if (!error)
        error = check_items(b);
    if (error)
        return error;
    if ((error = copy_regions(b, b->sequence % 2, false, crc)))
        return failed(error, "read");
    for (unsigned i = 0; i < b->count; i++) {
        const struct disk_item *d = &b->head.item[i];
        if (d->crc != crc[i])
            return nvmi_fail(EINVAL, "backup", "region %s of the checkpoint is damaged", d->name);
        if (d->size_bytes)
            continue;
        unsigned char *target =
            d->region == NO_REGION ? NULL : b->item[d->region].address + d->offset;
        memcpy(b->item[i].address, &target, sizeof(target));
    }
    return 0;
}
