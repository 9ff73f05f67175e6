/*===- stats.h - counters ---------------------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_COMMIT_STATS_H
#define NVMOVE_SRC_COMMIT_STATS_H

#include <stdbool.h>

/* All counters if the environment requests it. */
void nvmi_stats_open(void);
/* In the pool, where a killed process leaves them; under the heap lock. */
void nvmi_stats_keep(void);
void nvmi_stats_print(bool has_heap_lock);

#endif /* NVMOVE_SRC_COMMIT_STATS_H */
