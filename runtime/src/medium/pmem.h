/*===- pmem.h - calls of libpmemobj -----------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_PMEM_H
#define NVMOVE_SRC_PMEM_H

/* Between these, libpmemobj takes the medium for one that needs no msync(): we
 * provide the durability of its few metadata ourselves, by fdatasync() where it
 * is needed. The environment is as before afterwards. */
void nvmi_pmem_enter(void);
void nvmi_pmem_leave(void);

/* The open pool, or NULL with errno and a message. */
void *nvmi_pmem_open(const char *path);
void nvmi_pmem_close(void *pool);

#endif /* NVMOVE_SRC_PMEM_H */
