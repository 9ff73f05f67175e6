/*===- log_limit.c - how long logs and their slices are to become -----------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "medium/log_limit.h"
#include "base/layout.h"

#define MIB (1ull << 20)

/* So that a small log has slices for many threads; the smallest has room for five whole entries. */
#define MOST_SLICE_BYTES 65536u
#define LEAST_SLICE_BYTES 4096u
#define LEAST_SLICES 1024u

uint64_t nvmi_log_soft_limit_bytes, nvmi_log_slice_limit_bytes;

uint64_t nvmi_log_soft_bytes(uint64_t pool_bytes)
{
    uint64_t soft = pool_bytes / 16;
    if (soft < 4 * MIB)
        soft = 4 * MIB;
    if (soft > 64 * MIB)
        soft = 64 * MIB;
    if (pool_bytes < 4 * soft)
        soft = (pool_bytes / 16 + NVM_PAGE_BYTES - 1) / NVM_PAGE_BYTES * NVM_PAGE_BYTES;
    return nvmi_log_soft_limit_bytes ? nvmi_log_soft_limit_bytes : soft;
}

uint64_t nvmi_log_slice_bytes(uint64_t log_bytes)
{
    uint64_t slice = MOST_SLICE_BYTES;
    while (slice > LEAST_SLICE_BYTES && slice * LEAST_SLICES > log_bytes)
        slice /= 2;
    return nvmi_log_slice_limit_bytes ? nvmi_log_slice_limit_bytes : slice;
}
