/*===- snapshots.h - forked children that still look at the home copy -------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_MEDIUM_SNAPSHOTS_H
#define NVMOVE_SRC_MEDIUM_SNAPSHOTS_H

#include <stdbool.h>

/* Before a fork: counts it, and takes the lock that the child holds as long as it looks at
 * the home copy. NULL: it cannot be had. */
void *nvmi_snapshot_lock(void);
bool nvmi_snapshots_alive(void); /* children that still look at the home copy */
/* Another pool is open now, perhaps with children of the process before. */
void nvmi_snapshots_open(void);

#endif /* NVMOVE_SRC_MEDIUM_SNAPSHOTS_H */
