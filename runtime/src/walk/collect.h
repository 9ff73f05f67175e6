/*===- collect.h - a collection while the program runs ----------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_COLLECT_H
#define NVMOVE_SRC_COLLECT_H

#include "base/pool.h"

/* From the marking until all is put right. */
extern bool nvmi_collecting;

/* Before nvm_restore(): asks for a collection. */
void nvmi_collect_ask(bool typed);
/* In nvm_restore(), before the roots are given back: marks, if it was asked for. */
void nvmi_collect_begin(void);
/* A section is about to end, or a commit to be taken, under the section lock: puts
 * a few things right. If nvmi_collecting. */
void nvmi_collect_slice(void);
/* Has the marking ended? */
bool nvmi_collect_is_marked(void);
/* Under the heap lock, if nvmi_collecting: the program frees the block at p. */
void nvmi_collect_freed(const void *p);
void nvmi_collect_in_child(void);
void nvmi_collect_close(void);

#endif /* NVMOVE_SRC_COLLECT_H */
