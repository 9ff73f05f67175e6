/*===- crc32c.h - CRC-32C ---------------------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_CRC32C_H
#define NVMOVE_SRC_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* CRC-32C (Castagnoli), continued from `crc`; start with 0. */
uint32_t nvmi_crc32c(uint32_t crc, const void *data, size_t size_bytes);

/* Folds a CRC of each 64-byte line into `crc`. Not the CRC of the whole: lines are
 * independent, so that the processor works on four at a time. Not linear either:
 * changes that are alike, or whose CRC-32C stands beside them, do not cancel out. */
uint32_t nvmi_crc32c_lines(uint32_t crc, const void *lines, size_t count);

/* As above for the lines `number[i]` of `base`, which are copied one after the
 * other to the 16-byte aligned `dst`. */
uint32_t nvmi_crc32c_gather(uint32_t crc, void *dst, const unsigned char *base,
                            const uint32_t *number, size_t count);

#endif /* NVMOVE_SRC_CRC32C_H */
