/*===- saved.h - how much the open epoch has saved --------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * For engines whose threads save concurrently: a thread that has the engine lock counts what it
 * saves at once; a concurrent thread counts sixteen lines at a time, to avoid traffic between the
 * caches of the processors.
 */
#ifndef NVMOVE_SRC_ENGINES_SAVED_H
#define NVMOVE_SRC_ENGINES_SAVED_H

#include "base/pool.h"

/* Counts lines, possibly none, that save() has copied, and the bytes that they took of the area. */
void nvmi_count_logged(uint64_t lines, uint64_t bytes);
/* Counts lines that save() has copied, and their bytes, after the barrier that follows them; also
 * updates the marks. */
void nvmi_lines_saved(struct nvmi_pool *pool, uint64_t lines, uint64_t bytes);
/* A lower bound of the number of lines saved by calls that have ended. */
uint64_t nvmi_lines_known_as_saved(void);
/* An epoch begins; no thread saves meanwhile. */
void nvmi_no_lines_saved(void);

#endif /* NVMOVE_SRC_ENGINES_SAVED_H */
