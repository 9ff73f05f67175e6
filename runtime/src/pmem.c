/*===- pmem.c - calls of libpmemobj -----------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "pmem.h"
#include "error.h"
#include "layout.h"
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
