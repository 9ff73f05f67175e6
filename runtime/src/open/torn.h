/*===- torn.h - pages that no commit knows ----------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_OPEN_TORN_H
#define NVMOVE_SRC_OPEN_TORN_H

#include "base/pool.h"

/* In the start-up section: what a loss of power may have left of pages that were taken outside
 * sections becomes free. */
void nvmi_torn_mend(struct nvmi_pool *pool);

#endif /* NVMOVE_SRC_OPEN_TORN_H */
