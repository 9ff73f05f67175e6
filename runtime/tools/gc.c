/*===- gc.c - nvm-pool gc: frees what nothing leads to ------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The collection that NVM_GC=1 makes while the program runs, without the program.
 */
#include "engines/engine.h"
#include "findings.h"
#include "nvmove/collect.h"
#include "pool_tool.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int dry_run(const char *path)
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
    struct nvmi_findings *found = nvmi_findings_new();
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

static int collect(const char *path)
{
    struct nvm_collection c;
    if (nvmi_open_bare(path, false) != 0 || nvm_collect(NULL) != 0)
        return pool_complain();
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
    if (argc == 2 && strcmp(argv[0], "--dry-run") == 0)
        return dry_run(argv[1]);
    return argc == 1 && argv[0][0] != '-' ? collect(argv[0]) : POOL_TOOL_WRONG_CALL;
}
