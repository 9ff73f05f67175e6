/*===- twins.h - static objects that persistent objects point to ------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_NAMED_TWINS_H
#define NVMOVE_SRC_NAMED_TWINS_H

int nvmi_twins_check(void);
void nvmi_twins_enter(void);
void nvmi_twins_close(void);

#endif /* NVMOVE_SRC_NAMED_TWINS_H */
