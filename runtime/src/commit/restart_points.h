/*===- restart_points.h - checkpoints at which all threads meet -------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_COMMIT_RESTART_POINTS_H
#define NVMOVE_SRC_COMMIT_RESTART_POINTS_H

#include <stdbool.h>

struct nvmi_pool;

/* Of programs that call nvm_restart_points(): how far commits are apart if nothing else is said,
 * or 0. */
int nvmi_restart_epoch_ms(void);
/* 0, or EINVAL [restart-points]: they have them, and the engine cannot. */
int nvmi_restart_check(const struct nvmi_pool *pool);

/* May all that the threads have done be committed? Until nvmi_restart_release() they
 * stay where they are. `at_point`: the calling thread counts as being at one. */
bool nvmi_restart_hold(bool at_point);
void nvmi_restart_release(void);
void nvmi_restart_in_child(void);

bool nvmi_restart_is_paused(void); /* the thread, by nvm_thread_pause() */

#endif /* NVMOVE_SRC_COMMIT_RESTART_POINTS_H */
