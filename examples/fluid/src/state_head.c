/*===- state_head.c - what is common to those that read and write states ----===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _POSIX_C_SOURCE 200809L
#include "state.h"
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool failed(const char *id, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "fluid: error: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, " [%s]\n", id);
    va_end(arguments);
    return false;
}

static uint64_t mix(uint64_t sum, uint64_t word)
{
    sum ^= word;
    return (sum << 29 | sum >> 35) * 0x9e3779b97f4a7c15u;
}

void sum_add(struct sum *sum, const struct particle *p, uint32_t n)
{
    uint64_t word[5];
    _Static_assert(sizeof(word) == sizeof(*p), "5 words");
    struct sum s = *sum;
    for (uint32_t i = 0; i < n; i++) {
        memcpy(word, &p[i], sizeof(word));
        for (int k = 0; k < 5; k++)
            s.word[k] = mix(s.word[k], word[k]);
    }
    *sum = s;
}

uint64_t sum_end(const struct sum *sum)
{
    uint64_t result = 1;
    for (int k = 0; k < 5; k++)
        result = mix(result, sum->word[k]);
    return result;
}

static uint64_t head_sum(const struct state_head *head)
{
    struct state_head h = *head;
    uint64_t word[sizeof(h) / 8], result = 2;
    h.sum = 0;
    memcpy(word, &h, sizeof(word));
    for (size_t i = 0; i < sizeof(h) / 8; i++)
        result = mix(result, word[i]);
    return result;
}

void state_head_end(struct state_head *head)
{
    memcpy(head->magic, MAGIC, sizeof(head->magic));
    head->sum = head_sum(head);
}

bool read_all(int file, void *to, size_t size_bytes, int64_t at)
{
    char *p = to;
    for (size_t done = 0; done < size_bytes;) {
        ssize_t n = pread(file, p + done, size_bytes - done, at + (int64_t)done);
        if (n == 0)
            errno = 0;
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

_Atomic uint64_t written_bytes;

bool write_all(int file, const void *from, size_t size_bytes, int64_t at)
{
    const char *p = from;
    written_bytes += size_bytes;
    for (size_t done = 0; done < size_bytes;) {
        ssize_t n = pwrite(file, p + done, size_bytes - done, at + (int64_t)done);
        if (n < 0 && errno != EINTR)
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

static bool is_sensible(const struct state_head *h)
{
    float cells = 1;
    for (int d = 0; d < 3; d++) {
        if (!(h->box[d] > 0 && h->box[d] < 1000))
            return false;
        cells *= h->box[d] * 204 + 1;
    }
    return cells < 4e9f && h->count > 0 && h->count <= h->total && h->fixed <= h->total &&
           h->total <= MOST_GROUPS * GROUP;
}

uint32_t state_origin(const struct state_head *head)
{
    return head->origin ? head->origin : (uint32_t)(head->sum >> 32) | 1;
}

const char *state_head_read(int file, struct state_head *head)
{
    struct stat about;
    if (!read_all(file, head, sizeof(*head), 0))
        return errno ? strerror(errno) : "it is too short for a state [state-foreign]";
    if (memcmp(head->magic, MAGIC, sizeof(head->magic)) != 0)
        return "it holds something else than a state [state-foreign]";
    if (head->sum != head_sum(head) || !is_sensible(head))
        return "its head is damaged [state-damaged]";
    if (fstat(file, &about) != 0)
        return strerror(errno);
    if (about.st_size != HEAD_BYTES + (int64_t)(head->count * sizeof(struct particle)))
        return "it has not the size that its head says [state-damaged]";
    return NULL;
}
