/*===- medium.h - what a pool lies on ---------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_MEDIUM_H
#define NVMOVE_SRC_MEDIUM_H

#include <stdbool.h>
#include <stdint.h>

/* Name of the file system of `fd`: "ext4", "tmpfs", "0x1234" if unknown. */
void nvmi_medium_name(int fd, char *name, unsigned name_bytes);

/* Is it memory, gone with the power whatever is waited for? */
bool nvmi_medium_is_volatile(int fd);

/* Can the file be mapped so that cache line write-back alone makes it durable? */
bool nvmi_medium_is_dax(int fd);

/* Waits until the file or directory is on its medium. 0 or an errno value. */
int nvmi_sync_path(const char *path);
/* Of a path with a slash in it, as realpath() gives it. */
void nvmi_directory_of(const char *path, char *directory, unsigned directory_bytes);

/* "1.0 GiB of 64.0 GiB": what a pool takes of the disk now, and what it may grow to. */
struct nvmi_pool;
void nvmi_pool_size(const struct nvmi_pool *pool, char *text, unsigned text_bytes);

/* "1.0 GiB" */
void nvmi_human_bytes(uint64_t size_bytes, char *text, unsigned text_bytes);

#endif /* NVMOVE_SRC_MEDIUM_H */
