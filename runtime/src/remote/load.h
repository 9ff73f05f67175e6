/*===- load.h - the module for libfabric, and the shared key ---------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_REMOTE_LOAD_H
#define NVMOVE_SRC_REMOTE_LOAD_H

#include "remote/fabric.h"

/* The shared key. 0, or an errno with its message [replica-key]. */
#define NVMI_KEY_LEAST_BYTES 16u
#define NVMI_KEY_MOST_BYTES 4096u
int nvmi_key_read(const char *path, unsigned char key[NVMI_KEY_MOST_BYTES], size_t *key_bytes);

/* The module; NULL with a message [replica-support]. */
const struct nvmi_fabric *nvmi_fabric_load(void);

#endif /* NVMOVE_SRC_REMOTE_LOAD_H */
