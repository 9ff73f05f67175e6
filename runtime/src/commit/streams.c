/*===- streams.c - what stdio writes leaves after its commit ----------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "commit/streams.h"
#include "base/pool.h"
#include "commit/commit.h"
#include "commit/output.h"
#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <unistd.h>

#define HELD_BYTES 65536u

/* Under the section lock, as all here. */
static struct {
    bool wanted; /* nvm_hold_output() was called */
    bool holds;
    int mode; /* of stdout, as the program has it, while it is held */
    char buffer[HELD_BYTES];
} output;

int nvm_fflush(void *stream)
{
    FILE *said = stream ? stream : stdout;
    if (nvmi_pool.open && (!stream || __fpending(said) > 0)) {
        int error = errno;
        nvmi_output(nvmi_is_promise(fileno(said)));
        errno = error;
    }
    return fflush(stream);
}

static int mode_of(FILE *stream)
{
    if (__flbf(stream))
        return _IOLBF;
    if (__fbufsize(stream) == 1)
        return _IONBF;
    /* Without a buffer yet: what it will be. */
    return __fbufsize(stream) == 0 && isatty(fileno(stream)) ? _IOLBF : _IOFBF;
}

/* A child has none of what its parent said: it flushes at its own exit. */
static void forget_in_child(void)
{
    if (!output.holds)
        return;
    __fpurge(stdout);
    setvbuf(stdout, NULL, output.mode, 0);
    output.holds = false;
}

void nvm_hold_output(void)
{
    if (!output.wanted)
        pthread_atfork(NULL, NULL, forget_in_child);
    output.wanted = true;
}

bool nvmi_holds_output_back(void)
{
    return output.wanted;
}

void nvmi_hold_output(void)
{
    if (!output.wanted || output.holds || nvmi_pool.snapshot)
        return;
    int error = errno;
    output.mode = mode_of(stdout);
    if (output.mode == _IOFBF) { /* room for what this section says */
        if (__fpending(stdout) * 2 > __fbufsize(stdout))
            nvm_fflush(stdout);
    } else {
        output.holds = setvbuf(stdout, output.buffer, _IOFBF, HELD_BYTES) == 0;
    }
    errno = error;
}

void nvmi_flush_output(void)
{
    int error = errno;
    if (nvmi_depth > 0 && output.holds && __fpending(stdout) > 0)
        fflush(stdout);
    errno = error;
}

void nvm_output(void)
{
    nvmi_output(true);
    nvmi_flush_output();
}

void nvmi_release_output(void)
{
    if (!output.holds)
        return;
    int error = errno;
    output.holds = false;
    if (__fpending(stdout) > 0) {
        nvmi_wait_for_medium();
        fflush(stdout);
    }
    if (mode_of(stdout) == _IOFBF) /* the program has not changed it meanwhile */
        setvbuf(stdout, output.mode == _IONBF ? NULL : output.buffer, output.mode, HELD_BYTES);
    errno = error;
}
