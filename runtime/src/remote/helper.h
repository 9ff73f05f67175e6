/*===- helper.h - a second thread for a replica ----------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_REMOTE_HELPER_H
#define NVMOVE_SRC_REMOTE_HELPER_H

#include "remote/state.h"

void nvmi_helper_start(void);
void nvmi_helper_stop(void);
void nvmi_helper_in_child(void);

#endif /* NVMOVE_SRC_REMOTE_HELPER_H */
