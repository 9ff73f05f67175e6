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

static int was_unset;

void nvmi_pmem_enter(void)
{
    int off = 0;
    was_unset = getenv("PMEM_IS_PMEM_FORCE") == NULL;
    if (was_unset)
        setenv("PMEM_IS_PMEM_FORCE", "1", 0);
    /* Its record of unclean shutdowns asks devices that a page cache has none of. */
    pmemobj_ctl_set(NULL, "sds.at_create", &off);
}

void nvmi_pmem_leave(void)
{
    if (was_unset)
        unsetenv("PMEM_IS_PMEM_FORCE");
}

void *nvmi_pmem_open(const char *path)
{
    nvmi_pmem_enter();
    PMEMobjpool *pop = pmemobj_open(path, NVM_DISK_LAYOUT_NAME);
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
