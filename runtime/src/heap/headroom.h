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

/* All of these are called under the heap lock. */
void nvmi_headroom_begin(void);    /* The start-up section begins. */
void nvmi_headroom_restored(void); /* The program has called nvm_restore(). */
void nvmi_headroom_ready(void);    /* The start-up section is about to commit and to end. */
void nvmi_headroom_freed(void);    /* Pages have become free. */
void nvmi_headroom_grown(void);    /* The heap has more pages. */
/* A section has found no page: looks again which pages are held back. True: section_end has
 * moved up. */
bool nvmi_headroom_look_again(void);

#endif /* NVMOVE_SRC_HEAP_HEADROOM_H */
