/*===- checkpoint_backup.c - regions of memory, saved by nvmove/backup.h ----===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The program works in memory, and a save copies what is registered to the medium: a cache of it.
 */
#include "checkpoint.h"
#include "state.h"
#include <errno.h>
#include <nvmove/backup.h>
#include <nvmove/nvm.h>
#include <stdlib.h>
#include <unistd.h>

static struct nvm_backup *backup;

static bool add_regions(void)
{
    static struct region regions[MOST_REGIONS];
    unsigned count = layout_regions(regions);
    if (!count)
        return failed("checkpoint", "no memory, or too many particles for regions");
    if (nvm_backup_region(backup, "fluid", &fluid, sizeof(fluid)) != 0)
        return failed("checkpoint", "%s", nvm_errormsg());
    for (unsigned i = 0; i < count; i++) {
        char name[24];
        snprintf(name, sizeof(name), "particles %u", i);
        if (nvm_backup_region(backup, name, regions[i].address, regions[i].size_bytes) != 0)
            return failed("checkpoint", "%s", nvm_errormsg());
    }
    return true;
}

/* Of the checkpoint, or if there is none of the open file. */
static bool load(const char *path, int file, const char *first, const struct state_head *head)
{
    int error = nvm_backup_load(backup);
    if (error && error != ENOENT)
        return failed("checkpoint", "%s: %s", path, nvm_errormsg());
    if (!error)
        return layout_unpack() || failed("load", "%s: no memory", path);
    const char *wrong = layout_load(file, head->sums);
    return !wrong || failed("load", "%s: %s", first, wrong);
}

bool checkpoint_load(const char *path, const char *first, unsigned threads)
{
    if (!path)
        return state_load(first);
    struct state_head *head = malloc(sizeof(*head));
    int file = head ? state_open(first, head) : -1;
    bool is_done = false;
    if (file >= 0) {
        backup = nvm_backup_open(path, threads);
        if (!backup)
            failed("checkpoint", "%s", nvm_errormsg());
        else if (!layout_allocate())
            failed("load", "%s: no memory", first);
        else
            is_done = add_regions() && load(path, file, first, head);
        close(file);
    }
    free(head);
    return is_done;
}

bool checkpoint_save(const char *path)
{
    layout_pack();
    return nvm_backup_save(backup) == 0 || failed("checkpoint", "%s: %s", path, nvm_errormsg());
}
