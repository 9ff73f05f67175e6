/*===- attach.h - a replica is reached -------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_REMOTE_ATTACH_H
#define NVMOVE_SRC_REMOTE_ATTACH_H

#include "remote/state.h"

/* Asks whether the replica would have the pool. 0 or an errno with its message. */
int nvmi_attach_probe(struct nvmi_pool *pool);

/* Does the heap have the state of the last commit, and keep it? If `*locked` is set, until
 * nvmi_sections_unlock(). Not under the lock. */
bool nvmi_attach_is_quiet(const struct nvmi_pool *pool, bool *locked);

/* Under the lock. With `whole_now`, as nvmi_pages_finish(): up to date when it returns 0. Else
 * the state may be COPYING: nvmi_pages_copy() is to follow. 0 or an errno with its message. */
int nvmi_attach(struct nvmi_pool *pool, bool whole_now);
/* nvmi_attach() in two steps: nvmi_attach_reach() needs no lock, nvmi_attach_begin() is called
 * under the lock. 0 or an errno with its message. */
int nvmi_attach_reach(struct nvmi_pool *pool, struct nvmi_link *link);
int nvmi_attach_begin(struct nvmi_pool *pool, bool whole_now);

#endif /* NVMOVE_SRC_REMOTE_ATTACH_H */
