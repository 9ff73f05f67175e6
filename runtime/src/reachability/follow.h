/*===- follow.h - pointers that follow statics to where they are now --------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_REACHABILITY_FOLLOW_H
#define NVMOVE_SRC_REACHABILITY_FOLLOW_H

#include "reachability/reach.h"

/* Compares the registered statics with the pool's, and, where they lie elsewhere, looks for what
 * may be pointers to them. 0; ENOEXEC [pool-layout], EFAULT [pointers-unknown], ENOMEM. */
int nvmi_statics_check(void);
/* Makes the pointers lead to where the statics are. 0, EFAULT [pointers-unknown] or ENOMEM. */
int nvmi_statics_follow(const struct nvmi_reach *reach);

#endif /* NVMOVE_SRC_REACHABILITY_FOLLOW_H */
