/*===- section.h - sections -------------------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_COMMIT_SECTION_H
#define NVMOVE_SRC_COMMIT_SECTION_H

#include <stdbool.h>

/* What is to be done little by little at the ends of outermost sections, before they commit,
 * under the section lock; NULL: nothing. */
extern void (*nvmi_section_work)(void);

/* For locks that begin a section (libc/locks.c). Sections run beside each other if each end of one
 * need not commit. The second gives up when it is not their turn. */
void nvmi_section_begin_with_lock(void);
bool nvmi_section_try(void);
/* The two halves of nvm_end(): what an outermost section did becomes durable, and others may
 * begin one. The second alone where a section did nothing. If it ran beside others, the second
 * half commits when a commit is due, and waits for those to end; so the thread has given its locks
 * back before. */
void nvmi_section_commit(void);
void nvmi_section_close(void);
/* Ends all sections of a thread that may hold a lock. How many there were; 0 also in the start-up
 * section, which goes on. */
unsigned nvmi_section_leave(void);

/* The one that begins when a pool has been opened, and ends with nvm_ready(). */
void nvmi_start_up_section(void);
void nvmi_sections_in_child(bool was_inside);

#endif /* NVMOVE_SRC_COMMIT_SECTION_H */
