/*===- clock.h - commits that are due while no thread takes them ------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Where commits are apart in time the end of a section takes one that is due. What a program with
 * threads did before it became idle is made durable by a thread of the runtime. A program whose
 * sections are all of one thread has no such clock: between them its state need not be whole.
 */
#ifndef NVMOVE_SRC_COMMIT_CLOCK_H
#define NVMOVE_SRC_COMMIT_CLOCK_H

/* What else is to be done each time, in no section; NULL: nothing. Atomic. */
extern void (*nvmi_clock_work)(void);
/* From now on; once is enough. Any thread. */
void nvmi_clock_start(void);
/* Around letting go of the pool. The thread may be in a section. */
void nvmi_clock_hold(void);
void nvmi_clock_release(void);
/* No commit comes from it any more. */
void nvmi_clock_end(void);
void nvmi_clock_in_child(void); /* it has none */

#endif /* NVMOVE_SRC_COMMIT_CLOCK_H */
