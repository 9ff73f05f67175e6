/*===- sites.h - places of the program that store without announcement ----===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_AUDIT_SITES_H
#define NVMOVE_AUDIT_SITES_H

#include <stddef.h>

/* A store of `size_bytes` by the instruction before `caller`; p, in the heap, is the
 * first byte that was not announced.
 * The first of each site is reported at once, the others are counted. */
void nvmi_site(const void *p, size_t size_bytes, const void *caller);

/* How many sites there are; their stores are added up in *stores. */
size_t nvmi_sites(unsigned long *stores);
/* One line for each: place and number of stores. */
void nvmi_sites_print(void);

#endif /* NVMOVE_AUDIT_SITES_H */
