/*===- output.c - what leaves the process waits for its commit --------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "commit/output.h"
#include "base/error.h"
#include "commit/commit.h"
#include "commit/put_off.h"
#include "commit/restart_points.h"
#include "hook/lists.h"
#include "threads/side_by_side.h"
#include <errno.h>
#include <sys/stat.h>

/* Not in a section. What another thread's section is about is part of it, or comes later. False:
 * one that does not end soon may wait for a lock of this thread. */
static bool catch_up(void)
{
    if (!nvmi_is_put_off())
        return true;
    if (!nvmi_sections_lock_soon())
        return false;
    if (nvmi_is_put_off())
        nvmi_commit();
    nvmi_sections_unlock();
    return true;
}

/* In a section that runs beside others, and has no lock that they may wait for: it lets them
 * commit, too. */
static bool commit_between(void)
{
    nvmi_beside_leave();
    bool commits = nvmi_sections_lock_soon();
    if (commits) {
        nvmi_commit();
        nvmi_sections_unlock();
    }
    return nvmi_beside_enter(true) && commits;
}

/* In a section, which runs alone from here on if it has such a lock. */
static bool commit_here(void)
{
    if (nvmi_is_beside && nvmi_depth == 1 && nvmi_locks_held == 0)
        return commit_between();
    if (!nvmi_beside_alone())
        return false;
    nvmi_commit();
    return true;
}

static void tell_that_it_cannot_wait(void)
{
    static int told; /* atomic */
    if (!__atomic_exchange_n(&told, 1, __ATOMIC_RELAXED))
        nvmi_note("pool %s: an output was written before its commit, because a section of another "
                  "thread does not end: it may wait for a lock of the thread that writes the "
                  "output. Move the program without --commit-at-output",
                  nvmi_pool.path);
}

void nvm_wait(void)
{
    int error = errno;
    if (nvmi_pool.open && !nvmi_pool.snapshot && nvmi_depth == 0)
        catch_up();
    errno = error;
}

/* Has a section stored what no commit has yet? One that is under way may have. */
static bool is_ahead(void)
{
    bool locks = nvmi_depth == 0;
    if (locks && !nvmi_sections_trylock())
        return true;
    bool ahead = nvmi_hook_is_ahead();
    if (locks)
        nvmi_sections_unlock();
    return ahead;
}

bool nvmi_is_promise(int fd)
{
    struct stat file;
    int error = errno;
    bool promises = fstat(fd, &file) == 0 && !S_ISREG(file.st_mode);
    errno = error;
    return promises;
}

void nvmi_output(bool is_promise)
{
    struct nvmi_pool *pool = &nvmi_pool;
    if (!pool->open || nvmi_is_apart())
        return;
    int error = errno;
    bool may = !pool->start_up && !pool->epoch_ns && nvmi_restart_members() == 0;
    bool commits = may && (nvmi_depth <= 1 || is_promise);
    bool done = commits && (nvmi_depth == 0 ? catch_up() : commit_here());
    if (!done && (commits || (!pool->start_up && (nvmi_depth > 1 || pool->epoch_ns))) &&
        is_ahead()) {
        __atomic_add_fetch(&pool->stats.early_outputs, 1, __ATOMIC_RELAXED);
        if (commits)
            tell_that_it_cannot_wait();
    }
    nvmi_wait_for_medium();
    errno = error; /* what the program says may be about it */
}
