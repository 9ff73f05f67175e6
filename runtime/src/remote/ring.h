/*===- ring.h - records on their way to the replica ------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_REMOTE_RING_H
#define NVMOVE_SRC_REMOTE_RING_H

#include "remote/state.h"

/* All under the lock. */

/* The record of the commit that is about to be made; NULL: it was marked instead. */
struct nvm_disk_record *nvmi_ring_put(struct nvmi_pool *pool, const struct nvmi_changes *changes);
/* Has the pages marked of what is in the ring, and empties it. */
void nvmi_ring_spill(const struct nvmi_pool *pool);
/* Sends all records that were not sent. 0 or an errno with its message. */
int nvmi_ring_send(void);
/* Notes what the replica has. */
void nvmi_ring_confirm(void);
uint64_t nvmi_ring_first_epoch(const struct nvmi_pool *pool);
/* The replica holds all up to this commit: what is in the ring of it goes, the rest is sent anew.
 */
void nvmi_ring_rewind(uint64_t epoch);

#endif /* NVMOVE_SRC_REMOTE_RING_H */
