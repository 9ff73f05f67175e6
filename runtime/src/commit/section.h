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

void nvmi_sections_in_child(bool was_inside);

#endif /* NVMOVE_SRC_COMMIT_SECTION_H */
