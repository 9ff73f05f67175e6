/*===- gc.c - nvm-pool gc: frees what nothing leads to ------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The collection that NVM_GC makes while the program runs, without the program.
 */
#include "base/engine.h"
#include "base/error.h"
#include "base/pool.h"
#include "nvmove/collect.h"
#include "open/open.h"
#include "pool_tool.h"
#include "reachability/collect.h"
#include "reachability/findings.h"
#include "reachability/reach.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int dry_run(const char *path, bool typed)
{
    if (pool_look(path) != 0)
        return pool_complain();
    if (pool_in_use()) {
        nvmi_fail(EBUSY, "pool-busy", "%s is used by another process", nvmi_pool.path);
        return pool_complain();
    }
    if (pool_is_unsettled())
        return pool_complain();
    if (!nvmi_pool.restored || nvmi_units_in_use() == 0) {
        printf("nothing to free\n");
        return 0;
    }
    if (nvmi_pool.format->view(&nvmi_pool, UINT64_MAX) != 0)
        return pool_complain();
    struct nvmi_findings *found = nvmi_findings_new(typed);
    if (found)
        nvmi_findings_fill(found);
    if (!found || found->done != 1) {
        nvmi_fail(ENOMEM, "no-memory", "no address space for marking");
        return pool_complain();
    }
    printf("would free %" PRIu64 " objects, %" PRIu64 " bytes; lower %zu counts\n", found->objects,
           found->bytes, found->lowering_count);
    nvmi_findings_release(found);
    return 0;
}

static int collect(const char *path, bool typed)
{
    struct nvm_collection c;
    if (nvmi_open_bare(path, false) != 0)
        return pool_complain();
    nvmi_collect_ask(typed);
    nvm_restore();
    nvm_ready();
    int error = nvm_collect(&c);
    nvm_close();
    if (error)
        return pool_complain();
    printf("freed %lu objects, %lu bytes; lowered %lu counts\n", c.objects, c.bytes, c.counts);
    return 0;
}

int pool_gc(int argc, char **argv)
{
    bool dry = false, typed = false;
    for (; argc > 1; argc--, argv++) {
        if (strcmp(argv[0], "--dry-run") == 0)
            dry = true;
        else if (strcmp(argv[0], "--typed") == 0)
            typed = true;
        else
            return POOL_TOOL_WRONG_CALL;
    }
    if (argc != 1 || argv[0][0] == '-')
        return POOL_TOOL_WRONG_CALL;
    return dry ? dry_run(argv[0], typed) : collect(argv[0], typed);
}
