/*===- crc_portable.c - the table-driven CRC, under other names -------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define NVMI_PORTABLE
#define nvmi_crc32c portable_crc32c
#define nvmi_crc32c_lines portable_crc32c_lines
#define nvmi_crc32c_gather portable_crc32c_gather
#include "base/crc32c.c"
