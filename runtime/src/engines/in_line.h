/*===- in_line.h - rolling back words by the copies in their lines ----------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The tables and the page directory are as of the last commit by now, and saved lines are
 * back. What is put back is still there when the roll back is cut, and is put back again.
 */
#ifndef NVMOVE_SRC_ENGINES_IN_LINE_H
#define NVMOVE_SRC_ENGINES_IN_LINE_H

#include "base/pool.h"
#include "engines/direct.h"
#include "medium/backing.h"

/* Each struct nvm_cell that the open epoch has changed. */
void nvmi_roll_back_cells(struct nvmi_pool *pool, nvmi_put *put);
/* Each word in this part of the arena of which the open epoch has made a copy in a log.
 * nvmi_line_logs_read() comes before. */
void nvmi_roll_back_logs(struct nvmi_pool *pool, nvmi_put *put, struct nvmi_range range);

#endif /* NVMOVE_SRC_ENGINES_IN_LINE_H */
