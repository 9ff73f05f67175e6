/*===- streams.h - what stdio writes leaves after its commit ----------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_COMMIT_STREAMS_H
#define NVMOVE_SRC_COMMIT_STREAMS_H

#include <stdbool.h>

bool nvmi_holds_output_back(void); /* nvm_hold_output() was called */
/* Around an outermost section, under the section lock; the latter after the commit. */
void nvmi_hold_output(void);
void nvmi_release_output(void);
void nvmi_flush_output(void); /* what was held back comes before another output */

#endif /* NVMOVE_SRC_COMMIT_STREAMS_H */
