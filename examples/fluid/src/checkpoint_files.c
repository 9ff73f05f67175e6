/*===- checkpoint_files.c - two files of states, written in turns -----------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * PATH.0 and PATH.1. The older one is written in place: only what has changed since.
 */
#define _POSIX_C_SOURCE 200809L
#include "checkpoint.h"
#include "state.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define NOTHING (-1)

static struct side {
    int file;      /* 0: not yet open for writing */
    int64_t holds; /* the step, or NOTHING */
    bool is_known; /* this process wrote it, so what it lacks is known */
    struct state_head head;
} sides[2];

static bool name_side(char name[4096], const char *path, int side)
{
    return snprintf(name, 4096, "%s.%d", path, side) < 4096 ||
           failed("checkpoint", "%s: the name is too long", path);
}

/* What a crash has cut has no head: then the other one counts. What is no checkpoint stays. */
static bool look(const char *name, struct side *side)
{
    int file = open(name, O_RDONLY | O_CLOEXEC);
    side->holds = NOTHING;
    if (file < 0)
        return errno == ENOENT || failed("checkpoint", "%s: %s", name, strerror(errno));
    const char *wrong = state_head_read(file, &side->head);
    static const char none[sizeof(side->head.magic)];
    bool is_cut = wrong && (lseek(file, 0, SEEK_END) == 0 ||
                            memcmp(side->head.magic, none, sizeof(none)) == 0);
    close(file);
    if (!wrong)
        side->holds = (int64_t)side->head.step;
    return !wrong || is_cut || failed("checkpoint", "%s: %s", name, wrong);
}

bool checkpoint_load(const char *path, const char *first, unsigned threads)
{
    (void)threads; /* those of the team save */
    char name[4096];
    const char *newest = first;
    for (int side = 0; path && side < 2; side++)
        if (!name_side(name, path, side) || !look(name, &sides[side]))
            return false;
    if (path && (sides[0].holds != NOTHING || sides[1].holds != NOTHING)) {
        name_side(name, path, sides[1].holds > sides[0].holds);
        newest = name;
    }
    return state_load(newest);
}

bool checkpoint_save(const char *path)
{
    char name[4096];
    int older = sides[1].holds < sides[0].holds;
    struct side *side = &sides[older];
    if (!name_side(name, path, older))
        return false;
    if (!side->file && (side->file = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666)) < 0)
        return failed("checkpoint", "%s: %s", name, strerror(errno));
    if (!state_write(side->file, &side->head, side->is_known ? side->holds : NOTHING))
        return failed("checkpoint", "%s: %s", name, strerror(errno));
    side->is_known = true;
    side->holds = (int64_t)fluid.step;
    return true;
}
