/*===- open.h - opening and closing a pool ----------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_OPEN_OPEN_H
#define NVMOVE_SRC_OPEN_OPEN_H

#include <stdbool.h>

/* For tools, which know nothing of the program. As nvm_open() of a pool that holds a commit, but
 * nothing is compared with registrations, none are entered, and roots stay as they are. With
 * `power` commits survive power loss. EINVAL: no commit yet. */
int nvmi_open_bare(const char *path, bool power);

#endif /* NVMOVE_SRC_OPEN_OPEN_H */
