/*===- describe.h - what is at an address of the heap -----------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_NAMED_DESCRIBE_H
#define NVMOVE_SRC_NAMED_DESCRIBE_H

#include <stddef.h>

#define NVMI_DESCRIPTION_BYTES 400u
/* Describes what is at p, an address in the heap, as text for people:
 * "0x2000..: entry.next, offset 16 of the object ..". Under the heap lock. */
void nvmi_describe(const void *p, char *text, size_t text_bytes);

#endif /* NVMOVE_SRC_NAMED_DESCRIBE_H */
