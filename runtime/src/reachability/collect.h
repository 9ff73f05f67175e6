/*===- collect.h - a collection while the program runs ----------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_COLLECT_H
#define NVMOVE_SRC_COLLECT_H

#include <stdbool.h>

/* Before nvm_restore(): asks for a collection. */
void nvmi_collect_ask(bool typed);
/* In nvm_restore(), before the roots are given back: marks, if it was asked for. From then until
 * all is put right it watches frees, and does a few things at each section's end. */
void nvmi_collect_begin(void);
/* Has the marking ended? */
bool nvmi_collect_is_marked(void);
void nvmi_collect_close(void);

#endif /* NVMOVE_SRC_COLLECT_H */
