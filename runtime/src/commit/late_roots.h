/*===- late_roots.h - roots that come and go while the pool is open ---------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_COMMIT_LATE_ROOTS_H
#define NVMOVE_SRC_COMMIT_LATE_ROOTS_H

/* The program frees the record: the roots in it keep their values in the pool. */
void nvmi_roots_freed(const void *record);

#endif /* NVMOVE_SRC_COMMIT_LATE_ROOTS_H */
