/*===- create.h - making a pool file ----------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_CREATE_H
#define NVMOVE_SRC_CREATE_H

#include <stdint.h>

struct nvm_engine;

#define NVMI_DEFAULT_BYTES (1ull << 30)
#define NVMI_MIN_BYTES (16ull << 20)

/* Makes the pool file `path`: all its blocks are allocated, so that a full disk
 * shows here and never later. It gets its name when it is complete. `durable`:
 * waits until it is on the medium. 0; EEXIST: another process made it meanwhile;
 * ENOENT, EROFS, EACCES, ENOSPC, EINVAL with a message. */
int nvmi_create(const char *path, uint64_t size_bytes, const struct nvm_engine *engine,
                int durable);

/* The soft limit of a redo log. */
uint64_t nvmi_log_soft_bytes(uint64_t pool_bytes);

/* Other than the defaults only in tests: the largest segment that the arena is
 * made of; the soft limit of the log, 0 for the usual one. */
extern uint64_t nvmi_segment_limit_bytes, nvmi_log_soft_limit_bytes;

#endif /* NVMOVE_SRC_CREATE_H */
