/*===- sim_file.h - parts of the power cut simulator ------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_TEST_RUNTIME_SIM_FILE_H
#define NVMOVE_TEST_RUNTIME_SIM_FILE_H

#include <stddef.h>

/* Ends the process when the simulator itself has failed. */
void sim_require(int condition);

/* Maps the pool file for reading; its shared mappings are looked up from now
 * on. */
unsigned char *sim_map_file(const char *path, size_t *size_bytes);
/* Is this the inode of that file? */
int sim_is_pool(unsigned long number);
/* Makes a file of this size and maps it for writing. */
unsigned char *sim_make_file(const char *path, size_t size_bytes);
/* Where a byte of any shared mapping lies in the pool file; -1: in none. */
long sim_file_offset(const void *p);

/* From now on libpmemobj's flushes and fences go here; the functions of libpmem
 * that it calls are defined in sim_pmem.c. */
void sim_watch_pmem(void (*flush)(const void *p, size_t size_bytes),
                    void (*fence)(void));

#endif /* NVMOVE_TEST_RUNTIME_SIM_FILE_H */
