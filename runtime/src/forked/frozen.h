/*===- frozen.h - the heap as it was when a child was forked ----------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Under a direct engine parent and child share what the program writes to. The child
 * copies the heap before its fork() returns, while the parent goes on: of a page
 * that the parent is about to change, and that the child has not copied yet, it first
 * keeps what was there. So fork() costs the parent what it changes meanwhile, and not
 * what the heap holds.
 *
 * Nothing waits for the child, which may be killed at any moment: it copies a page, and
 * takes it for copied only if the parent has not begun to change it. The child waits for the
 * parent as long as it keeps one page, and asks whether the parent lives. A pipe tells the
 * parent when the child has its copy, or is gone.
 *
 * Where there is no address space for what is kept, or not every store is announced, the
 * parent stands still until then.
 */
#ifndef NVMOVE_SRC_FORKED_FROZEN_H
#define NVMOVE_SRC_FORKED_FROZEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nvmi_frozen;
extern struct nvmi_frozen *nvmi_frozen; /* NULL: no child is copying */

/* In the parent. All but the last under the heap and engine locks, and before the fork the
 * orphan lock, with the announcements stopped. */
void nvmi_frozen_begin(void);     /* before the fork; waits for the child before */
void nvmi_frozen_in_parent(void); /* after it */
void nvmi_frozen_poll(void);      /* with each commit: what a child has copied is given back */
void nvmi_frozen_wait(void);      /* until a child has its copy */
void nvmi_frozen_keep(uint64_t offset, uint64_t size_bytes); /* pages of these bytes of the heap */

/* In the child, or alone: these bytes of the heap as they were. */
void nvmi_frozen_copy(unsigned char *to, uint64_t offset, uint64_t size_bytes);
/* It has its copy. Dies if the parent did before: it may not be right. */
void nvmi_frozen_in_child(void);

/* These bytes of the heap are about to change: before each such place, under the engine
 * lock, behind nvmi_announce_begin() or, for what belongs to the heap itself, under the heap
 * lock. */
static inline void nvmi_will_change(uint64_t offset, uint64_t size_bytes)
{
    if (__builtin_expect(nvmi_frozen != NULL, 0))
        nvmi_frozen_keep(offset, size_bytes);
}

#endif /* NVMOVE_SRC_FORKED_FROZEN_H */
