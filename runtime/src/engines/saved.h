/*===- saved.h - how much the open epoch has saved --------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * For engines whose threads save beside each other: who has the engine lock counts what it saves
 * at once, a thread beside others sixteen lines at a time, so that the others' caches are left
 * alone meanwhile.
 */
#ifndef NVMOVE_SRC_ENGINES_SAVED_H
#define NVMOVE_SRC_ENGINES_SAVED_H

#include "base/pool.h"

/* Lines, of which there may be none, that save() has copied, and what that took of the area. */
void nvmi_count_logged(uint64_t lines, uint64_t bytes);
/* The same, once the barrier behind them has been passed; tells the marks, too. */
void nvmi_lines_saved(struct nvmi_pool *pool, uint64_t lines, uint64_t bytes);
/* So many at least were saved by calls that have ended. */
uint64_t nvmi_lines_known_as_saved(void);
/* An epoch begins; nobody saves meanwhile. */
void nvmi_no_lines_saved(void);

#endif /* NVMOVE_SRC_ENGINES_SAVED_H */
