/*===- log_limit.h - how long logs and their slices are to become -----------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_MEDIUM_LOG_LIMIT_H
#define NVMOVE_SRC_MEDIUM_LOG_LIMIT_H

#include <stdint.h>

/* Where the redo log of a pool of that size is to be applied. */
uint64_t nvmi_log_soft_bytes(uint64_t pool_bytes);
/* How long the slices of an undo log of that size are. Part of the format of a pool. */
uint64_t nvmi_log_slice_bytes(uint64_t log_bytes);
/* Other than 0 only in tests: these. */
extern uint64_t nvmi_log_soft_limit_bytes, nvmi_log_slice_limit_bytes;

#endif /* NVMOVE_SRC_MEDIUM_LOG_LIMIT_H */
