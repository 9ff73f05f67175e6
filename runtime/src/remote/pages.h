/*===- pages.h - a replica catches up by pages -----------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_REMOTE_PAGES_H
#define NVMOVE_SRC_REMOTE_PAGES_H

#include "remote/state.h"

/* All under the lock, but for nvmi_pages_copy(). */

void nvmi_pages_mark(const struct nvmi_pool *pool, const struct nvmi_changes *changes);
/* Has the replica make a draft; what is to be sent to it is known then. With `goes_on` commits
 * may come meanwhile: the state is COPYING, and the lock is given up for a while. */
int nvmi_pages_begin(const struct nvmi_pool *pool, bool whole, bool goes_on);
/* Sends what is to be sent now; `*left`: so many parts have been marked meanwhile. */
int nvmi_pages_copy(const struct nvmi_pool *pool, uint64_t *left);
/* Nothing changes meanwhile, and the heap is as of the last commit. Sends the rest, and has the
 * draft take the pool's place. */
int nvmi_pages_finish(const struct nvmi_pool *pool);

#endif /* NVMOVE_SRC_REMOTE_PAGES_H */
