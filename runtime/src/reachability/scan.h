/*===- scan.h - bytes that may be addresses ---------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_REACHABILITY_SCAN_H
#define NVMOVE_SRC_REACHABILITY_SCAN_H

#include <stdint.h>

/* Calls `see` for each place in [from, from + size_bytes), in order, where 8 bytes
 * hold an address of [target, target + target_bytes) in their low 48 bits; it gets
 * these. Both bounds of the target are multiples of NVM_PAGE_BYTES. */
struct nvmi_scan {
    uint64_t target, target_bytes;
    void (*see)(void *context, const unsigned char *place, uint64_t address);
    void *context;
};
void nvmi_scan(const struct nvmi_scan *scan, const unsigned char *from, uint64_t size_bytes);

#endif /* NVMOVE_SRC_REACHABILITY_SCAN_H */
