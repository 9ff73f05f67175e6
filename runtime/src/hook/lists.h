/*===- lists.h - lists of announced lines -----------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_HOOK_LISTS_H
#define NVMOVE_SRC_HOOK_LISTS_H

#include "base/pool.h"

/* The values in nvmi_touched[], one byte for each line; atomic. nvm_hot.touched shows the same,
 * and the inline part of the hook asks there for 1; but in an audit build and when stores are
 * counted that shows nothing: then each hook calls. */
enum { NVMI_NOT_ANNOUNCED, NVMI_ANNOUNCED, NVMI_BEING_SAVED };
extern unsigned char *nvmi_touched;

size_t nvmi_arena_lines(void);
bool nvmi_list_open(struct nvmi_lines *list); /* all 0 before; false: no address space */
void nvmi_list_close(struct nvmi_lines *list);

/* Under the engine lock if the engine saves lines. Moves the orphans to the changes and makes
 * every line announceable again. */
void nvmi_hook_collect(void);
bool nvmi_hook_is_ahead(void); /* has a section stored what no commit has yet? */
bool nvmi_hook_pending(void);  /* is there anything to commit? */
void nvmi_hook_done(void);     /* after a commit: empties the changes */

#endif /* NVMOVE_SRC_HOOK_LISTS_H */
