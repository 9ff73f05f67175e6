/*===- pool_tool.h - what the subcommands of nvm-pool share -----------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Each subcommand is one file and one line in the table of nvm-pool.c. It gets
 * what follows its own name, and returns the status of the process: 0; 1 with
 * a message on stderr when the pool is refused; 2 when it was called wrongly.
 */
#ifndef NVMOVE_TOOLS_POOL_TOOL_H
#define NVMOVE_TOOLS_POOL_TOOL_H

#include <stdbool.h>
#include <stdint.h>

#define POOL_TOOL_WRONG_CALL 2

/* Opens nvmi_pool for reading only and shows it as of its last commit. 0, or an
 * errno with its message. Of a pool in use it is some moment between two commits,
 * or an error. */
int pool_look(const char *path);
/* Likewise with the content of all objects. EBUSY: the pool is in use; EINVAL
 * [pool-empty]: it holds no commit yet. */
int pool_look_whole(const char *path);
/* 0; EINVAL [pool-unsettled]: what the file holds may not be the last commit, because
 * libpmemobj has not rolled back yet. */
int pool_is_unsettled(void);
/* Is another process the pool's owner? */
bool pool_in_use(void);
/* by_type.c: what objects of one type take. */
struct pool_type_use {
    const char *name; /* NULL: the tables do not name such a type */
    uint64_t objects, bytes, pages;
};
/* Of the pool as it is shown, by number of the type, NVMI_MAX_TYPES + 1 of them; to be
 * freed. Reads the page directory and the bitmaps, no object. NULL: no memory, with its
 * message. */
struct pool_type_use *pool_use_by_type(void);
struct pool_type_use pool_use_of_all(const struct pool_type_use *use);
/* Prints the message of this thread's last error; returns 1. */
int pool_complain(void);

int pool_info(int argc, char **argv);
int pool_check(int argc, char **argv);
int pool_stats(int argc, char **argv);
int pool_dump(int argc, char **argv);
int pool_gc(int argc, char **argv);
int pool_relocate(int argc, char **argv);

#endif /* NVMOVE_TOOLS_POOL_TOOL_H */
