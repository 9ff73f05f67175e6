/*===- state.c - files that hold a state ------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _POSIX_C_SOURCE 200809L
#include "state.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int state_open(const char *path, struct state_head *head)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    const char *wrong = file < 0 ? strerror(errno) : state_head_read(file, head);
    if (wrong) {
        if (file >= 0)
            close(file);
        failed("load", "%s: %s", path, wrong);
        return -1;
    }
    memcpy(fluid.box, head->box, sizeof(fluid.box));
    fluid.count = head->count;
    fluid.fixed = head->fixed;
    fluid.total = head->total;
    fluid.is_part = head->is_part;
    fluid.origin = state_origin(head);
    fluid.step = head->step;
    return file;
}

bool state_load(const char *path)
{
    struct state_head *head = malloc(sizeof(*head));
    if (!head)
        return failed("load", "%s: no memory", path);
    int file = state_open(path, head);
    const char *wrong = NULL;
    if (file >= 0) {
        wrong = layout_allocate() ? layout_load(file, head->sums) : "no memory";
        close(file);
    }
    free(head);
    return wrong ? failed("load", "%s: %s", path, wrong) : file >= 0;
}

bool state_is_of_run(const char *first, uint64_t steps)
{
    struct state_head *head = malloc(sizeof(*head));
    int file = head ? open(first, O_RDONLY | O_CLOEXEC) : -1;
    const char *wrong = file < 0 ? strerror(errno) : state_head_read(file, head);
    uint32_t origin = wrong ? 0 : state_origin(head);
    bool is_ahead = !wrong && fluid.step > steps && fluid.step > head->step;
    if (file >= 0)
        close(file);
    free(head);
    if (wrong)
        return failed("load", "%s: %s", first, wrong);
    if (origin != fluid.origin)
        return failed("other-run",
                      "%s: what is kept is of a run with another first state; remove "
                      "it, or go on with that one",
                      first);
    return !is_ahead || failed("other-run",
                               "%s: what is kept is at step %llu, and %llu are wanted; "
                               "remove it, or ask for more",
                               first, (unsigned long long)fluid.step, (unsigned long long)steps);
}

/*===-- Writing -------------------------------------------------------------===*/

static struct {
    int file;
    int64_t since;
    uint64_t *sums;
    atomic_int error;
} writing;

void state_write_part(unsigned me)
{
    if (!layout_save(writing.file, writing.since, writing.sums, me, grid.threads))
        writing.error = errno;
}

bool state_write(int file, struct state_head *head, int64_t since)
{
    static const struct state_head none;
    if (!write_all(file, &none, sizeof(none), 0) || fdatasync(file) != 0)
        return false;
    writing.file = file;
    writing.since = since;
    writing.sums = head->sums;
    writing.error = 0;
    team_run(SAVE);
    errno = writing.error;
    if (errno ||
        ftruncate(file, HEAD_BYTES + (int64_t)(fluid.count * sizeof(struct particle))) != 0 ||
        fdatasync(file) != 0)
        return false;
    memcpy(head->box, fluid.box, sizeof(head->box));
    head->count = fluid.count;
    head->fixed = fluid.fixed;
    head->total = fluid.total;
    head->is_part = fluid.is_part;
    head->origin = fluid.origin;
    head->step = fluid.step;
    state_head_end(head);
    /* A head that is cut has no magic. */
    return write_all(file, head->box, sizeof(*head) - sizeof(head->magic), sizeof(head->magic)) &&
           fdatasync(file) == 0 && write_all(file, head->magic, sizeof(head->magic), 0) &&
           fdatasync(file) == 0;
}

bool state_save(const char *path)
{
    char other[4096];
    if (snprintf(other, sizeof(other), "%s.new", path) >= (int)sizeof(other))
        return failed("save", "%s: the name is too long", path);
    struct state_head *head = calloc(1, sizeof(*head));
    int file = open(other, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool is_done = head && file >= 0 && state_write(file, head, -1);
    int error = errno;
    if (file >= 0 && close(file) != 0 && is_done) {
        is_done = false;
        error = errno;
    }
    if (is_done && rename(other, path) != 0) {
        is_done = false;
        error = errno;
    }
    if (!is_done && file >= 0)
        unlink(other);
    free(head);
    return is_done ? true : failed("save", "%s: %s", path, strerror(error));
}
