/*===- ask.h - which replica, and whether it takes the pool ----------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_REMOTE_ASK_H
#define NVMOVE_SRC_REMOTE_ASK_H

#include "base/pool.h"

/* Reads the environment. 0, or an errno with its message. */
int nvmi_ask_for_replica(void);
/* Of a pool that was examined, and not changed yet: would the replica have it? 0 also when the
 * replica is away; else an errno with its message. */
int nvmi_ask_replica(struct nvmi_pool *pool);

/* For the start-up line: "; replica HOST:PORT, .."; empty if there is none. */
void nvmi_describe_replica(char *text, unsigned text_bytes);

#endif /* NVMOVE_SRC_REMOTE_ASK_H */
