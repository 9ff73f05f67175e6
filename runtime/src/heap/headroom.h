/*===- headroom.h - pages that only the start-up section may take -----------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_HEAP_HEADROOM_H
#define NVMOVE_SRC_HEAP_HEADROOM_H

#include <stdbool.h>

/* All are under the heap lock. */
void nvmi_headroom_begin(void);      /* start-up begins */
void nvmi_headroom_restored(void);   /* nvm_restore() was called */
void nvmi_headroom_ready(void);      /* start-up is about to commit, and ends */
void nvmi_headroom_freed(void);      /* pages have become free */
bool nvmi_headroom_look_again(void); /* true: section_end has moved up */
void nvmi_headroom_grown(void);      /* there are more pages */

#endif /* NVMOVE_SRC_HEAP_HEADROOM_H */
