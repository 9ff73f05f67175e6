/*===- commit.h - commits ---------------------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_COMMIT_COMMIT_H
#define NVMOVE_SRC_COMMIT_COMMIT_H

#include <stdbool.h>
#include <stdint.h>

void nvmi_commit(void); /* under the section lock */
void nvmi_commit_if_due(void);
bool nvmi_commit_is_due(void);
uint64_t nvmi_epoch_left_ns(void); /* where commits are taken by time, until the next is due */
void nvmi_checkpoint_now(void);    /* whatever threads take part; outside sections */
void nvmi_wait_for_medium(void);

#endif /* NVMOVE_SRC_COMMIT_COMMIT_H */
