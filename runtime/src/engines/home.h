/*===- home.h - the log of the redo engine is brought home ------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_ENGINES_HOME_H
#define NVMOVE_SRC_ENGINES_HOME_H

#include "base/pool.h"

struct redo {
    uint64_t head;              /* atomic; where the next record goes */
    uint64_t applied;           /* records before this have been brought home */
    uint64_t next_slice;        /* when head passes this, some more are */
    uint64_t base_epoch;        /* of the record at the start of the log */
    uint64_t unsynced_since_ns; /* when the first record after the last sync was written, or 0 */
    uint64_t synced_epoch;      /* atomic; commits up to this one are on the medium */
    uint64_t synced;            /* under the lock of waits; the log up to here is, too */
};
extern struct redo nvmi_redo;

/* Until all commits so far are on the medium. */
void redo_wait(struct nvmi_pool *pool);

/* Brings home records that hold about `size_bytes`, as far as they are on the
 * medium. True: nothing is left to bring. No snapshot child may be alive. */
bool redo_apply_some(struct nvmi_pool *pool, uint64_t size_bytes);
/* Brings home what is left and starts the log over. No snapshot child may be alive. */
void redo_checkpoint(struct nvmi_pool *pool);
/* Writes lines of new pages home and takes them out of the changes; see redo.c.
 * The log must be empty and no snapshot child alive. */
void redo_write_new_pages(struct nvmi_pool *pool, struct nvmi_changes *changes);

#endif /* NVMOVE_SRC_ENGINES_HOME_H */
