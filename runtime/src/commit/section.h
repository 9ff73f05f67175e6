/*===- section.h - sections, commits, output commits ------------------------===
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

void nvmi_commit(void); /* under the section lock */
void nvmi_commit_if_due(void);
bool nvmi_commit_is_due(void);
void nvmi_checkpoint_now(void); /* whatever threads take part; outside sections */
void nvmi_sections_in_child(bool was_inside);

/* Before something leaves the process; nested sections commit only for a promise. */
void nvmi_output(bool is_promise);
void nvmi_wait_for_medium(void);

#endif /* NVMOVE_SRC_COMMIT_SECTION_H */
