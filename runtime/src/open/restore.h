/*===- restore.h - the load, and the end of the start-up section ------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_OPEN_RESTORE_H
#define NVMOVE_SRC_OPEN_RESTORE_H

/* Begins the start-up section, in which the program loads. */
void nvmi_start_up_begin(void);

#endif /* NVMOVE_SRC_OPEN_RESTORE_H */
