/*===- memory.h - address space ---------------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_BASE_MEMORY_H
#define NVMOVE_SRC_BASE_MEMORY_H

#include <stddef.h>

#define NVMI_MACHINE_PAGE_BYTES 4096u /* what is mapped and protected as one */

/* Reserves zeroed memory that is taken only as it is used; NULL when refused. */
void *nvmi_reserve(size_t size_bytes);
void nvmi_release(void *p, size_t size_bytes); /* NULL: there is nothing to release */

#endif /* NVMOVE_SRC_BASE_MEMORY_H */
