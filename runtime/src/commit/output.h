/*===- output.h - what leaves the process waits for its commit --------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_COMMIT_OUTPUT_H
#define NVMOVE_SRC_COMMIT_OUTPUT_H

#include <stdbool.h>

/* Before something leaves the process; nested sections commit only for a promise. Keeps errno. */
void nvmi_output(bool is_promise);
/* A reader may rely on output to it: it is not a regular file, such as a log. */
bool nvmi_is_promise(int fd);

#endif /* NVMOVE_SRC_COMMIT_OUTPUT_H */
