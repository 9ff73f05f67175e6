/*===- nvmove/restart.h - checkpoints and restart points ---------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * For programs that say themselves when their data are whole. Nothing that the
 * rewriter emits is declared here.
 */
#ifndef NVMOVE_RESTART_H
#define NVMOVE_RESTART_H

#include "nvm.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Commits now, whatever the epoch: everything so far is durable when it returns.
 * Waits for the section of another thread to end; not inside a section. Without
 * a pool, in a snapshot child and before nvm_ready() it does nothing. */
void nvm_checkpoint(void);

#ifdef __cplusplus
}
#endif

#endif /* NVMOVE_RESTART_H */
