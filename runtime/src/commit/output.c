/*===- output.c - what leaves the process waits for its commit --------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "commit/output.h"
#include "base/pool.h"
#include "base/engine.h"
#include "commit/commit.h"
#include "commit/restart_points.h"
#include "commit/streams.h"
#include <errno.h>
#include <sys/stat.h>

/* Bounds of what waits. A log holds them beside a section that fills nearly all of it. */
#define MOST_SECTIONS 1024u
#define MOST_LINES 16384u
#define LOG_SHARE 32u

static bool at_output;
static unsigned put_off; /* sections; atomic */

void nvm_commit_at_output(void)
{
    at_output = true;
}

/* Transactions of libpmemobj belong to a thread. */
static bool can_wait(const struct nvmi_pool *pool)
{
    return !pool->epoch_ns && !pool->threaded && !pool->engine->each &&
           !pool->engine->save_by_thread;
}

bool nvmi_put_off(void)
{
    const struct nvmi_pool *pool = &nvmi_pool;
    uint64_t lines = pool->changes.lines.count;
    if (!at_output || !can_wait(pool) || put_off == MOST_SECTIONS || lines > MOST_LINES ||
        lines * NVM_LINE_BYTES > pool->header.log_size_bytes / LOG_SHARE || nvmi_has_said())
        return false;
    __atomic_store_n(&put_off, put_off + 1, __ATOMIC_RELAXED);
    return true;
}

void nvmi_nothing_put_off(void)
{
    __atomic_store_n(&put_off, 0, __ATOMIC_RELAXED);
}

/* Not in a section. What another thread's section is about is part of it, or comes later. */
static void catch_up(void)
{
    if (__atomic_load_n(&put_off, __ATOMIC_RELAXED) == 0)
        return;
    pthread_mutex_lock(&nvmi_section_lock);
    if (put_off)
        nvmi_commit();
    pthread_mutex_unlock(&nvmi_section_lock);
}

void nvm_wait(void)
{
    int error = errno;
    if (nvmi_pool.open && !nvmi_pool.snapshot && nvmi_depth == 0)
        catch_up();
    errno = error;
}

/* Has a section stored what no commit has yet? One that is under way may have. */
static bool is_ahead(const struct nvmi_pool *pool)
{
    bool locks = nvmi_depth == 0;
    if (locks && pthread_mutex_trylock(&nvmi_section_lock) != 0)
        return true;
    bool ahead = pool->changes.lines.count > 0;
    if (locks)
        pthread_mutex_unlock(&nvmi_section_lock);
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
    if (!pool->open || pool->snapshot)
        return;
    int error = errno;
    bool may = !pool->start_up && !pool->epoch_ns && nvmi_restart_members() == 0;
    if (may && (nvmi_depth == 1 || (nvmi_depth > 1 && is_promise)))
        nvmi_commit();
    else if (may && nvmi_depth == 0)
        catch_up();
    else if (!pool->start_up && (nvmi_depth > 1 || pool->epoch_ns) && is_ahead(pool))
        __atomic_add_fetch(&pool->stats.early_outputs, 1, __ATOMIC_RELAXED);
    nvmi_wait_for_medium();
    errno = error; /* what the program says may be about it */
}
