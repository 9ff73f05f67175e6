/*===- log.h - records of the redo log --------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Reading only: nothing here writes to the medium. Serves the runtime, nvm-pool
 * and the crash simulator, so it takes all it needs as arguments.
 */
#ifndef NVMOVE_SRC_LOG_H
#define NVMOVE_SRC_LOG_H

#include "base/pool.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nvmi_log {
    const unsigned char *base;
    uint64_t data_bytes; /* heads of records come before it; after it there may be no blocks */
    uint64_t size_bytes;
    uint64_t pool_tag, lap; /* that its records carry */
    uint64_t arena_size_bytes;
};

/* Bytes that a record of so many lines and ranges takes, parts filled up. */
uint64_t nvmi_record_bytes(uint64_t line_count, uint64_t zero_count);

/* The parts of a valid record. */
const uint32_t *nvmi_record_numbers(const struct nvm_disk_record *record);
const struct nvm_disk_zero *nvmi_record_zeros(const struct nvm_disk_record *record);
const unsigned char *nvmi_record_images(const struct nvm_disk_record *record);

/* CRC of head, numbers and ranges; nvmi_crc32c_lines() continues it. */
uint32_t nvmi_record_crc(const struct nvm_disk_record *head, const uint32_t *numbers,
                         const struct nvm_disk_zero *zeros);

/* The record at `offset` if it is whole and of `epoch`, else NULL. */
const struct nvm_disk_record *nvmi_log_record(const struct nvmi_log *log, uint64_t offset,
                                              uint64_t epoch);

/* How far after an unreadable record a later one is looked for. */
#define NVMI_LOG_LOOK_AHEAD_BYTES (8u << 20)

/* Finds the end of the log whose first record has `base_epoch`. */
struct nvmi_log_end nvmi_log_scan(const struct nvmi_log *log, uint64_t base_epoch);

/* Writes the ranges and lines below `limit_bytes` of all records before `end_offset`, which a
 * scan found, into `arena`. */
void nvmi_log_replay(const struct nvmi_log *log, uint64_t end_offset, unsigned char *arena,
                     uint64_t limit_bytes);

/* Chooses the control slot that counts. -1: both are damaged; 0: one is; 1: fine. */
int nvmi_control_choose(const void *slots, struct nvm_disk_control *out);
uint32_t nvmi_control_crc(const struct nvm_disk_control *slot);

#endif /* NVMOVE_SRC_LOG_H */
