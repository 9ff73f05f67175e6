/*===- replica.h - a pool on another machine --------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * NVM_REPLICA=HOST:PORT: each commit goes to nvm-replica there, too, whichever engine
 * makes it. docs/runtime.md says what that promises.
 */
#ifndef NVMOVE_SRC_REMOTE_REPLICA_H
#define NVMOVE_SRC_REMOTE_REPLICA_H

#include "base/pool.h"

/* Once it has been accepted. 0 or an errno with its message. */
int nvmi_replica_open(struct nvmi_pool *pool);
void nvmi_replica_close(void);
/* The process ends: libfabric is not used any more, whatever other threads commit still. */
void nvmi_replica_end(void);
void nvmi_replica_in_child(void);

/* engine->commit(), and the same for the replica. */
void nvmi_replica_commit(struct nvmi_pool *pool, struct nvmi_changes *changes);
/* Does the replica lack more than what is on its way? Then nvmi_replica_committed() is to be
 * called. */
bool nvmi_replica_is_behind(void);
/* At the end of a commit, under the section and heap locks; nothing is queued. */
void nvmi_replica_committed(struct nvmi_pool *pool);
/* Until the replica has all commits so far, unless it need not. */
void nvmi_replica_wait(struct nvmi_pool *pool);
/* The process is about to let go of the pool. */
void nvmi_replica_settle(struct nvmi_pool *pool);

/* Commits that count and that the replica may not have. */
uint64_t nvmi_replica_lag(void);
#endif /* NVMOVE_SRC_REMOTE_REPLICA_H */
