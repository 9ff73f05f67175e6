/*===- header.h - what a pool file says about itself ------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Reads with pread() only: a file that is refused keeps every byte.
 */
#ifndef NVMOVE_SRC_HEADER_H
#define NVMOVE_SRC_HEADER_H

#include "base/layout.h"
#include <stdbool.h>
#include <stdint.h>

struct nvmi_peek {
    struct nvm_disk_header header;
    struct nvm_disk_control control;
    uint64_t control_offset; /* of slot 0, in the file */
    bool slot_damaged;       /* one of the two */
};

/* Is it a header as this version makes them? 0, or EINVAL with a message as below. */
int nvmi_header_check(const struct nvm_disk_header *header, const char *path, uint64_t file_bytes);

/* Fills `peek`. 0, or EINVAL with a message whose id is pool-foreign,
 * pool-version or pool-damaged (which names the field). */
int nvmi_peek(int fd, const char *path, struct nvmi_peek *peek);

#endif /* NVMOVE_SRC_HEADER_H */
