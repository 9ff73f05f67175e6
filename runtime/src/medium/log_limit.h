/*===- log_limit.h - how long a redo log is to become -----------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_MEDIUM_LOG_LIMIT_H
#define NVMOVE_SRC_MEDIUM_LOG_LIMIT_H

#include <stdint.h>

/* Where the log of a pool of that size is to be applied. */
uint64_t nvmi_log_soft_bytes(uint64_t pool_bytes);
/* Other than 0 only in tests: that limit. */
extern uint64_t nvmi_log_soft_limit_bytes;

#endif /* NVMOVE_SRC_MEDIUM_LOG_LIMIT_H */
