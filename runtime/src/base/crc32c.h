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

/* Folds a CRC of each 64-byte line into `crc`. It is not the CRC of all bytes: lines are
 * independent, so that the processor can work on four at a time. It is not linear either:
 * equal changes of several lines, or of data and a CRC-32C next to them, do not cancel out. */
uint32_t nvmi_crc32c_lines(uint32_t crc, const void *lines, size_t count);

/* Copies the `count` lines `number[i]` of `base` consecutively to `dst`, which is aligned to 16
 * bytes, and returns nvmi_crc32c_lines(crc, dst, count). */
uint32_t nvmi_crc32c_gather(uint32_t crc, void *dst, const unsigned char *base,
                            const uint32_t *number, size_t count);

#endif /* NVMOVE_SRC_CRC32C_H */
