/*===- open.c - opening and closing a pool ----------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Order matters: everything that can refuse the pool looks at it through reads
 * and private mappings, so that a refused file keeps every byte. Only then does
 * libpmemobj open it, and only then does the engine bring the log home.
 */
#define _GNU_SOURCE
#include "open/open.h"
#include "base/engine.h"
#include "base/error.h"
#include "base/event.h"
#include "base/pool.h"
#include "commit/clock.h"
#include "commit/commit.h"
#include "commit/detached.h"
#include "commit/fork.h"
#include "commit/restart_points.h"
#include "commit/section.h"
#include "commit/stats.h"
#include "commit/thread.h"
#include "commit/verify.h"
#include "engines/engines.h"
#include "heap/arena.h"
#include "heap/heap.h"
#include "heap/state.h"
#include "hook/hook.h"
#include "medium/backing.h"
#include "medium/locks.h"
#include "medium/mapping.h"
#include "medium/media.h"
#include "medium/medium.h"
#include "medium/persist.h"
#include "medium/pmem.h"
#include "named/code.h"
#include "named/keeps.h"
#include "named/roots.h"
#include "named/statics.h"
#include "named/twins.h"
#include "named/types.h"
#include "open/create.h"
#include "open/examine.h"
#include "open/restore.h"
#include "open/torn.h"
#include "reachability/collect.h"
#include "reachability/follow.h"
#include "reachability/reach.h"
#include "reachability/volatile.h"
#include "remote/ask.h"
#include "remote/replica.h"
#include "remote/runs.h"
#include "remote/state.h"
#include "structures/interleaved.h"
#include "threads/side_by_side.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The path without links; of a file that does not exist yet, its directory's. */
static int absolute(const char *path, char *out, size_t out_bytes)
{
    struct stat link;
    if (realpath(path, out))
        return 0;
    if (lstat(path, &link) == 0 && S_ISLNK(link.st_mode))
        return nvmi_fail(ENOENT, "pool-missing", "%s is a dangling symbolic link", path);
    char copy[PATH_MAX], real[PATH_MAX];
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    int directory_bytes = slash ? (int)(slash - path) : 0;
    if (strlen(path) + 32 > sizeof(copy) || !*name)
        return nvmi_fail(ENOENT, "pool-missing", "%.100s: not a name for a pool", path);
    snprintf(copy, sizeof(copy), "%.*s", slash == path ? 1 : directory_bytes, path);
    if (!realpath(slash ? copy : ".", real))
        return nvmi_fail(errno == ENOTDIR ? ENOENT : errno, "pool-missing", "%s: no such directory",
                         path);
    int n = snprintf(out, out_bytes, "%s/%s", strcmp(real, "/") ? real : "", name);
    return n > 0 && (size_t)n < out_bytes - 16
               ? 0
               : nvmi_fail(ENAMETOOLONG, "pool-missing", "%.100s: the path is too long", path);
}

static int open_failed(const char *path, int error)
{
    if (error == EROFS || error == EACCES || error == EPERM)
        return nvmi_fail(error == EROFS ? EROFS : EACCES, "pool-read-only",
                         "%s is not writable: %s", path, strerror(error));
    if (error == EISDIR)
        return nvmi_fail(EINVAL, "pool-foreign", "%s is a directory", path);
    return nvmi_fail(error, "pool-io", "%s: %s", path, strerror(error));
}

static struct nvmi_new_pool new_pool(const struct nvmi_pool *pool,
                                     const struct nvm_options *options)
{
    struct nvmi_new_pool wanted = {.size_bytes = options->size_bytes,
                                   .max_bytes = options->max_size_bytes,
                                   .max_is_given = options->max_size_bytes != 0,
                                   .durable = pool->power,
                                   .table_bytes = nvmi_roots_bytes() + nvmi_keeps_bytes(),
                                   .twin_bytes = nvmi_twins_bytes(),
                                   .engine = nvmi_default_engine(pool->power)};
    if (pool->engine && pool->engine->durable)
        wanted.engine = pool->engine;
    if (!wanted.size_bytes) {
        uint64_t usual = wanted.engine->grows ? NVMI_DEFAULT_BYTES : NVMI_DEFAULT_FIXED_BYTES;
        bool is_less = wanted.max_is_given && wanted.max_bytes < usual;
        wanted.size_bytes = is_less ? wanted.max_bytes : usual;
    }
    if (!wanted.max_bytes)
        wanted.max_bytes =
            wanted.size_bytes > NVMI_DEFAULT_MAX_BYTES ? wanted.size_bytes : NVMI_DEFAULT_MAX_BYTES;
    return wanted;
}

/* Opens, or makes, the file and takes the owner's lock on it. */
static int open_file(struct nvmi_pool *pool, const struct nvm_options *options)
{
    for (int attempt = 0; attempt < 10; attempt++) {
        pool->fd = open(pool->path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
        if (pool->fd < 0 && errno == ENOENT && pool->bare)
            return nvmi_fail(ENOENT, "pool-missing", "%s does not exist", pool->path);
        if (pool->fd < 0 && errno == ENOENT) {
            int error = nvmi_create(pool->path, new_pool(pool, options));
            if (error && error != EEXIST)
                return error;
            pool->by_default = !error && !pool->engine;
            continue;
        }
        if (pool->fd < 0)
            return open_failed(pool->path, errno);
        struct stat file;
        if (fstat(pool->fd, &file) != 0)
            return open_failed(pool->path, errno);
        if (!S_ISREG(file.st_mode))
            return nvmi_fail(EINVAL, "pool-foreign", "%s is not a regular file", pool->path);
        pool->device = file.st_dev;
        pool->inode = file.st_ino;
        pool->lock = nvmi_lock_take(pool->path, file.st_dev, file.st_ino, NVMI_LOCK_OWNER);
        if (pool->lock)
            return 0;
        if (errno == EAGAIN)
            return nvmi_fail(EBUSY, "pool-busy", "%s is used by another process", pool->path);
        if (errno != ESTALE && errno != ENOENT)
            return open_failed(pool->path, errno);
        close(pool->fd); /* replaced meanwhile */
        pool->fd = -1;
    }
    return nvmi_fail(EBUSY, "pool-busy", "%s is being replaced repeatedly", pool->path);
}

/* Not an error: pointers in the pool lead to where another process had things. */
#define POOL_OUT_OF_DATE (-1)

/* What the program registered against what the pool holds. */
static int check_registrations(const struct nvmi_pool *pool)
{
    int error;
    if (pool->bare)
        return 0;
    if ((error = nvmi_types_check()) || (error = nvmi_roots_check()) ||
        (error = nvmi_keeps_check()))
        return error;
    if ((error = nvmi_twins_check()) || (error = nvmi_codes_check()))
        return error;
    error = nvmi_statics_check();
    return !error && (nvmi_statics_moved() || nvmi_volatile_due()) ? POOL_OUT_OF_DATE : error;
}

/* In the start-up section: the pool's tables and the program's registrations. */
static void enter_all(struct nvmi_pool *pool)
{
    if (!pool->restored)
        *nvmi_heap_change() = (struct nvm_disk_heap){.magic = NVM_HEAP_MAGIC};
    nvmi_types_enter();
    nvmi_runs_enter(pool, nvmi_has_replica());
    if (pool->bare)
        return;
    nvmi_roots_enter();
    nvmi_keeps_enter();
    nvmi_twins_enter();
    nvmi_codes_enter();
    nvmi_statics_enter();
}

static void settle(struct nvmi_pool *pool)
{
    if (pool->threaded)
        nvmi_thread_wait();
    if (pool->engine->settle)
        pool->engine->settle(pool);
    nvmi_replica_settle(pool);
    nvmi_stats_keep();
}

static void at_exit(void)
{
    struct nvmi_pool *pool = &nvmi_pool;
    if (!pool->open || pool->snapshot)
        return;
    /* Not if this thread, or another, is in the middle of a nested section or between
     * two restart points, or if the start-up did not come to its end. */
    bool whole = !pool->start_up && !nvmi_is_apart() && nvmi_restart_hold(false);
    nvmi_clock_end(); /* what exit handlers do is no section's */
    bool free_section = nvmi_depth == 0 && nvmi_sections_lock_soon();
    if (whole && (free_section || (nvmi_depth == 1 && nvmi_beside_alone()))) {
        nvmi_commit();
        nvmi_heap_lock_all();
        settle(pool);
        nvmi_heap_unlock_all();
    }
    if (free_section)
        nvmi_sections_unlock();
    nvmi_restart_release();
    nvmi_interleaved_finish();
    nvmi_stats_print(false);
    nvmi_replica_end();
    nvmi_events_print();
}

static void take_down(struct nvmi_pool *pool)
{
    nvmi_collect_close();
    nvmi_interleaved_close();
    nvmi_thread_close();
    nvmi_replica_close();
    nvmi_verify_close();
    nvmi_hook_close();
    nvmi_twins_close();
    nvmi_codes_close();
    nvmi_types_close();
    if (pool->open && !pool->bare)
        nvmi_volatile_close();
    nvmi_heap_close();
    nvmi_fork_close();
    nvmi_pmem_close(pool->pmemobj);
    nvmi_unmap(pool);
    nvmi_persist_file(-1, NULL, 0);
    if (pool->fd >= 0 && !pool->snapshot)
        close(pool->fd);
    nvmi_lock_release(pool->lock);
    nvmi_lock_release(pool->pmem_lock);
    struct nvm_stats stats = pool->stats;
    *pool = (struct nvmi_pool){.fd = -1, .stats = stats};
}

static bool is_own_table(const struct nvmi_persist *table)
{
    return table == &nvmi_persist_cache || table == &nvmi_persist_disk ||
           table == &nvmi_persist_dax;
}

/* Unless a test has put its own table there. */
static void choose_persistence(const struct nvmi_pool *pool)
{
    nvmi_media_remove();
    if (!is_own_table(nvmi_persist))
        return;
    nvmi_persist = !pool->power ? &nvmi_persist_cache
                   : pool->dax  ? &nvmi_persist_dax
                                : &nvmi_persist_disk;
    nvmi_media_install();
}

static void choose_epoch(struct nvmi_pool *pool, const struct nvm_options *options)
{
    int epoch_ms = pool->engine->epoch_ms;
    if (!epoch_ms && pool->engine->durable)
        epoch_ms = nvmi_restart_epoch_ms();
    if (options->epoch_ms && pool->engine->durable)
        epoch_ms = options->epoch_ms < 0 ? 0 : options->epoch_ms;
    pool->epoch_ns = epoch_ms < 0 ? UINT64_MAX : (uint64_t)epoch_ms * 1000000u;
}

static int check_bare(const struct nvmi_pool *pool)
{
    return !pool->bare || pool->restored
               ? 0
               : nvmi_fail(EINVAL, "pool-empty", "%s contains no commit yet", pool->path);
}

/* Where libpmemobj holds all of the pool it opens it; else it has nothing to roll back. It must not
 * even look: where it expects headers of further zones of 16 GiB, a file that is longer than its
 * heap holds the program's data. Its lock is taken, so that its tools leave the pool alone. 0 or an
 * errno with its message. */
static int enter_libpmemobj(struct nvmi_pool *pool)
{
    if (!pool->engine->durable || pool->pmemobj)
        return 0;
    if (!pool->format->grows)
        return (pool->pmemobj = nvmi_pmem_open(pool->path)) ? 0 : errno;
    pool->pmem_lock = nvmi_lock_take(pool->path, pool->device, pool->inode, NVMI_LOCK_PMEMOBJ);
    if (pool->pmem_lock)
        return 0;
    return errno == EAGAIN
               ? nvmi_fail(EBUSY, "pool-busy", "%s is used by another process", pool->path)
               : open_failed(pool->path, errno);
}

static int bring_up(struct nvmi_pool *pool, const struct nvm_options *options)
{
    int error = open_file(pool, options);
    if (error)
        return error;
    pool->dax = nvmi_medium_is_dax(pool->fd);
    if ((error = nvmi_examine(pool, false)) || (error = check_bare(pool)) ||
        (error = nvmi_restart_check(pool)) ||
        (pool->restored && (error = check_registrations(pool))) || (error = nvmi_ask_replica(pool)))
        return error;
    if ((error = enter_libpmemobj(pool)))
        return error;
    nvmi_persist_file(pool->fd, pool->home, pool->header.arena_size_bytes);
    choose_persistence(pool);
    if ((error = nvmi_fork_open()) || (error = nvmi_back_open(pool)) ||
        (error = pool->engine->recover(pool)))
        return error;
    if (!pool->restored && (error = nvmi_heap_open())) /* all zero only now */
        return error;
    pool->free_at_once = !pool->restored || !pool->engine->hooked;
    if ((error = nvmi_hook_open()) || (error = nvmi_replica_open(pool)))
        return error;
    if (!pool->engine->hooked)
        nvmi_hook_off();
    choose_epoch(pool, options);
    nvmi_stats_open();
    if (pool->threaded && (error = nvmi_thread_open()))
        return error;
    pool->verify = options->verify && pool->engine->hooked;
    return pool->verify ? nvmi_verify_open() : 0;
}

/* NAME or NAME+thread. */
static int parse_engine(struct nvmi_pool *pool, const char *text)
{
    static const char suffix[] = "+thread";
    char name[64];
    size_t length = strlen(text), tail = sizeof(suffix) - 1;
    pool->threaded = length > tail && strcmp(text + length - tail, suffix) == 0;
    if (pool->threaded)
        length -= tail;
    snprintf(name, sizeof(name), "%.*s", length < sizeof(name) ? (int)length : 0, text);
    pool->engine = nvmi_engine_by_name(name);
    if (!pool->engine)
        return nvmi_fail(EINVAL, "engine", "there is no engine %.50s", text);
    if (pool->threaded && !pool->engine->second_thread)
        return nvmi_fail(EINVAL, "engine", "%s",
                         NVMI_CANNOT(pool->engine, second_thread, "use a second thread"));
    return 0;
}

static int open_pool(const char *path, const struct nvm_options *options, bool bare)
{
    static bool registered;
    struct nvmi_pool *pool = &nvmi_pool;
    nvmi_events_start();
    if (pool->open)
        return nvmi_fail(EBUSY, "pool-open", "this process has %s open", pool->path);
    *pool = (struct nvmi_pool){.fd = -1, .power = options->power != 0, .bare = bare};
    int error = nvmi_media_read();
    if (!error && !bare)
        error = nvmi_ask_for_replica();
    if (!error && options->engine)
        error = parse_engine(pool, options->engine);
    if (!error)
        error = absolute(path, pool->path, sizeof(pool->path));
    if (!error)
        error = bring_up(pool, options);
    if (error) {
        take_down(pool);
        return error;
    }
    nvmi_start_up_begin();
    nvmi_torn_mend(pool);
    enter_all(pool);
    pool->open = true;
    if (!registered && atexit(at_exit) == 0)
        registered = true;
    return 0;
}

int nvmi_open_bare(const char *path, bool power)
{
    return open_pool(path, &(struct nvm_options){.power = power}, true);
}

/* By commits of a session of its own, before the program sees anything. */
static int catch_up(const char *path, bool power)
{
    struct nvmi_reach reach;
    int error = nvmi_open_bare(path, power);
    if (error)
        return error;
    nvm_restore();
    nvm_ready();
    error = nvmi_reach(&reach, nvmi_pool.header.heap_address, false);
    if (!error) {
        if (nvmi_statics_moved())
            error = nvmi_statics_follow(&reach);
        if (!error && nvmi_volatile_due())
            nvmi_volatile_clear(&reach);
        nvmi_reach_release(&reach);
    }
    nvm_close();
    return error;
}

int nvm_open(const char *path, const struct nvm_options *options)
{
    static const struct nvm_options defaults;
    int error;
    options = options ? options : &defaults;
    do
        error = open_pool(path, options, false);
    while (error == POOL_OUT_OF_DATE && (error = catch_up(path, options->power)) == 0);
    return error;
}

/* The engine has nothing to go back with: from now on the process sees a copy. `whole`: all is
 * committed. */
static void leave_pool(struct nvmi_pool *pool, bool whole)
{
    nvmi_heap_lock_all();
    if (whole)
        settle(pool);
    nvmi_stats_print(true);
    nvmi_events_print();
    nvmi_replica_close();
    nvmi_collect_close();
    nvmi_fork_detach();
    nvmi_heap_unlock_all();
}

void nvm_detach(void)
{
    struct nvmi_pool *pool = &nvmi_pool;
    if (!pool->open || nvmi_is_apart())
        return;
    bool is_section = nvmi_depth > 0;
    bool whole =
        !pool->start_up && nvmi_depth <= 1 && nvmi_beside_alone() && nvmi_restart_hold(true);
    nvmi_clock_hold();
    nvmi_interleaved_finish();
    if (!is_section)
        nvmi_sections_lock();
    if (whole) {
        nvmi_commit();
        nvmi_wait_for_medium();
    }
    nvmi_hold_back();
    if (!pool->engine->goes_back)
        leave_pool(pool, whole);
    nvmi_clock_release();
    if (!is_section)
        nvmi_sections_unlock();
    nvmi_restart_release();
}

void nvm_close(void)
{
    struct nvmi_pool *pool = &nvmi_pool;
    if (!pool->open)
        return;
    if (nvmi_depth > 1)
        nvmi_bug("nvm_close() inside a nested section");
    if (!nvmi_beside_alone())
        nvmi_bug("nvm_close() inside a section, while the section of another thread is open");
    bool commits = !pool->start_up && !nvmi_is_apart() && nvmi_restart_hold(true);
    nvmi_clock_hold();
    if (nvmi_depth == 0)
        nvmi_sections_lock();
    if (commits) {
        nvmi_commit();
        settle(pool);
    }
    nvmi_depth = 0;
    take_down(pool);
    nvmi_clock_release();
    nvmi_sections_unlock();
    nvmi_restart_release();
}
