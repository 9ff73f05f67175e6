/*===- findings.h - what a marking has found --------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Lies in memory that the marking process shares with its parent; the parent reads
 * it when `done` says so.
 */
#ifndef NVMOVE_SRC_FINDINGS_H
#define NVMOVE_SRC_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A count that is too high by `excess`. */
struct nvmi_lowering {
    uint64_t block; /* its unit */
    uint32_t offset, size_bytes;
    uint64_t excess;
};

struct nvmi_findings {
    int done; /* 1: all of it is there; 2: failed */
    bool typed;
    uint64_t objects, bytes;
    uint64_t *unreached; /* a bit for each unit: a block that is to be freed begins there */
    struct nvmi_lowering *lowering;
    size_t lowering_count, unit_count;
};

/* Of a marking by bytes, or by types as far as the layouts go. NULL: no address space. */
struct nvmi_findings *nvmi_findings_new(bool typed);
void nvmi_findings_release(struct nvmi_findings *findings);
/* Marks, and notes what is not reached and which counts are too high. */
void nvmi_findings_fill(struct nvmi_findings *findings);

#endif /* NVMOVE_SRC_FINDINGS_H */
