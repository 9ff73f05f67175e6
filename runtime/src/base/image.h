/*===- image.h - a program or library as it lies in memory ------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_IMAGE_H
#define NVMOVE_SRC_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

struct nvmi_image {
    char name[256]; /* "literals", of a library "literals of libx.so" */
    uint64_t from, end;
    uint32_t crc; /* of what is only read: another build, another number */
};

/* The one that `address` lies in; false: none. */
bool nvmi_image_of(const void *address, struct nvmi_image *image);

/* Does any? */
bool nvmi_image_holds(const void *address);

/* What lies at `address` may lie elsewhere in the next run of the same build: its image
 * is position-independent. */
bool nvmi_image_moves(const void *address);

#endif /* NVMOVE_SRC_IMAGE_H */
