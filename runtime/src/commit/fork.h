/*===- fork.h - children ----------------------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_COMMIT_FORK_H
#define NVMOVE_SRC_COMMIT_FORK_H

#include <stdbool.h>
#include <sys/types.h>

int nvmi_fork_open(void);
void nvmi_fork_close(void);
/* This process goes on with a frozen view, as a child does. */
void nvmi_fork_detach(void);
bool nvmi_fork_own(void); /* this process is the pool's from now on; false: another is */
/* A child that calls mark() with a frozen view, and ends; it must not call malloc().
 * The program does not notice: no fork handlers, no SIGCHLD, nothing for wait().
 * It goes with its parent. Its pid, or -1; reap it with __WALL. */
pid_t nvmi_fork_marker(void (*mark)(void));

#endif /* NVMOVE_SRC_COMMIT_FORK_H */
