/*===- pmem.c - calls of libpmemobj, and its calls of libpmem ---------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "medium/pmem.h"
#include "base/error.h"
#include "base/layout.h"
#include "medium/media.h"
#include <dlfcn.h>
#include <errno.h>
#include <libpmemobj.h>
#include <stdlib.h>
#include <unistd.h>

/* The program may look at its environment as the kernel laid it out (to set its
 * process title, say), so it is never changed: libpmemobj sees a longer copy. */
static char **program_environment, **our_environment;

void nvmi_pmem_enter(void)
{
    static char force[] = "PMEM_IS_PMEM_FORCE=1";
    int off = 0;
    size_t n = 0;
    if (getenv("PMEM_IS_PMEM_FORCE") == NULL) {
        while (environ && environ[n])
            n++;
        our_environment = malloc((n + 2) * sizeof(*our_environment));
        if (our_environment) {
            for (size_t i = 0; i < n; i++)
                our_environment[i] = environ[i];
            our_environment[n] = force;
            our_environment[n + 1] = NULL;
            program_environment = environ;
            environ = our_environment;
        }
    }
    /* Its record of unclean shutdowns asks devices that a page cache has none of. */
    pmemobj_ctl_set(NULL, "sds.at_create", &off);
}

void nvmi_pmem_leave(void)
{
    if (our_environment) {
        environ = program_environment;
        free(our_environment);
        our_environment = NULL;
    }
}

void *nvmi_pmem_open(const char *path)
{
    nvmi_pmem_enter();
    PMEMobjpool *pop = pmemobj_open(path, NVM_DISK_LAYOUT_NAME);
    /* What it keeps in memory about its undo logs stems from before it recovered its redo
     * logs: when a crash cut an earlier recovery, it then takes an extension that was
     * freed for still there, and a large transaction ends in a segmentation fault. Opened
     * once more it is right. */
    if (pop) {
        pmemobj_close(pop);
        pop = pmemobj_open(path, NVM_DISK_LAYOUT_NAME);
    }
    int error = errno;
    nvmi_pmem_leave();
    if (pop)
        return pop;
    if (error == EAGAIN || error == EWOULDBLOCK)
        errno = nvmi_fail(EBUSY, "pool-busy", "%s is used by another process", path);
    else
        errno = nvmi_fail(error == ENOMEM ? ENOMEM : EINVAL, "pool-damaged", "%s: libpmemobj: %s",
                          path, pmemobj_errormsg());
    return NULL;
}

void nvmi_pmem_close(void *pool)
{
    if (pool)
        pmemobj_close(pool);
}

/*===-- libpmem -------------------------------------------------------------===*/

/* Under engine tx most lines are written by libpmemobj, by way of libpmem. To count
 * them, and to let them wait for an emulated medium like those of other engines,
 * libpmem's functions are here, too: a program's own symbols come before a library's.
 * They call libpmem's, and count when someone wants that. They are weak: a libpmem that
 * is linked statically takes their place, and then tx is counted without it. */

/* Of libpmem.h, which need not be installed. */
#define NO_DRAIN 1u
#define NO_FLUSH 32u

typedef void *memory_call(void *to, const void *from, size_t n, unsigned flags);
typedef void *fill_call(void *to, int c, size_t n, unsigned flags);

void pmem_flush(const void *p, size_t size_bytes);
int pmem_deep_flush(const void *p, size_t size_bytes);
void pmem_drain(void);
void pmem_persist(const void *p, size_t size_bytes);
memory_call pmem_memcpy, pmem_memmove;
fill_call pmem_memset;

/* libpmem's own. */
static void *next(void **known, const char *name)
{
    void *found = __atomic_load_n(known, __ATOMIC_RELAXED);
    if (!found && !(found = dlsym(RTLD_NEXT, name)))
        nvmi_bug("libpmem has no %s()", name);
    __atomic_store_n(known, found, __ATOMIC_RELAXED);
    return found;
}
#define NEXT(name)                                                                                 \
    ((__typeof__(&name))__extension__({                                                            \
        static void *known;                                                                        \
        next(&known, #name);                                                                       \
    }))

__attribute__((weak)) void pmem_flush(const void *p, size_t size_bytes)
{
    NEXT(pmem_flush)(p, size_bytes);
    nvmi_media_flushed(p, size_bytes);
}

__attribute__((weak)) int pmem_deep_flush(const void *p, size_t size_bytes)
{
    nvmi_media_flushed(p, size_bytes);
    return NEXT(pmem_deep_flush)(p, size_bytes);
}

__attribute__((weak)) void pmem_drain(void)
{
    NEXT(pmem_drain)();
    nvmi_media_fenced();
}

__attribute__((weak)) void pmem_persist(const void *p, size_t size_bytes)
{
    NEXT(pmem_persist)(p, size_bytes);
    nvmi_media_flushed(p, size_bytes);
    nvmi_media_fenced();
}

/* By stores past the cache, or flushed afterwards: which of them, libpmem decides by the size. */
static void *wrote(void *to, size_t n, unsigned flags)
{
    if (!(flags & NO_FLUSH))
        nvmi_media_flushed(to, n);
    if (!(flags & (NO_FLUSH | NO_DRAIN)))
        nvmi_media_fenced();
    return to;
}

__attribute__((weak)) void *pmem_memcpy(void *to, const void *from, size_t n, unsigned flags)
{
    return wrote(NEXT(pmem_memcpy)(to, from, n, flags), n, flags);
}

__attribute__((weak)) void *pmem_memmove(void *to, const void *from, size_t n, unsigned flags)
{
    return wrote(NEXT(pmem_memmove)(to, from, n, flags), n, flags);
}

__attribute__((weak)) void *pmem_memset(void *to, int c, size_t n, unsigned flags)
{
    return wrote(NEXT(pmem_memset)(to, c, n, flags), n, flags);
}
