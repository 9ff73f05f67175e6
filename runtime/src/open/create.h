/*===- create.h - making a pool file ----------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_CREATE_H
#define NVMOVE_SRC_CREATE_H

#include <stdbool.h>
#include <stdint.h>

struct nvm_engine;
struct nvm_disk_header;

#define NVMI_DEFAULT_BYTES (64ull << 20)
#define NVMI_DEFAULT_MAX_BYTES (64ull << 30)
#define NVMI_DEFAULT_FIXED_BYTES (1ull << 30) /* of a pool that cannot grow */
#define NVMI_MIN_BYTES (16ull << 20)

struct nvmi_new_pool {
    uint64_t size_bytes; /* that it has blocks for at once */
    uint64_t max_bytes;  /* that it may grow to: the length of the file */
    bool max_is_given;   /* else less will do, if the system has a limit */
    bool durable;        /* wait until it is on the medium */
    /* What the program has registered takes in the tables and for twins: room for as much is
     * added to the usual. */
    uint64_t table_bytes, twin_bytes;
    const struct nvm_disk_header *like; /* the arena has the layout of this pool's, which it is a
                                           replica of; NULL: of one of its size */
    const struct nvm_engine *engine;
};
/* Makes the pool file `path`. It gets its name when it is complete. 0; EEXIST:
 * another process made it meanwhile; ENOENT, EROFS, EACCES, ENOSPC, EINVAL with a
 * message. */
int nvmi_create(const char *path, struct nvmi_new_pool wanted);
/* So many bytes has the file of a replica's pool. */
uint64_t nvmi_replica_bytes(const struct nvm_disk_header *like);

#endif /* NVMOVE_SRC_CREATE_H */
