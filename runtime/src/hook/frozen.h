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
 * parent as long as it keeps one page, and asks whether the parent lives.
 */
#ifndef NVMOVE_SRC_HOOK_FROZEN_H
#define NVMOVE_SRC_HOOK_FROZEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nvmi_frozen;
extern struct nvmi_frozen *nvmi_frozen; /* NULL: no child is copying */

/* Before the fork, under the heap, engine and orphan locks. False: there is no address space,
 * or not every store is announced; the parent must stand still. */
bool nvmi_frozen_begin(void);
/* In the parent: keeps the pages of these bytes of the heap. Any thread. */
void nvmi_frozen_keep(uint64_t offset, uint64_t size_bytes);
void nvmi_frozen_keep_from_children(void); /* of forks to come */
/* In the child: these bytes of the heap as they were. False: the parent is gone. */
bool nvmi_frozen_copy(unsigned char *to, uint64_t offset, uint64_t size_bytes);
/* In either: what was kept is of no more use. Under the heap and engine locks. */
void nvmi_frozen_end(void);

/* These bytes of the heap are about to change: before each such place, under the engine
 * lock or, for what belongs to the heap itself, the heap lock. */
static inline void nvmi_will_change(uint64_t offset, uint64_t size_bytes)
{
    if (__builtin_expect(nvmi_frozen != NULL, 0))
        nvmi_frozen_keep(offset, size_bytes);
}

#endif /* NVMOVE_SRC_HOOK_FROZEN_H */
