/*===- statics.h - statics that objects point to and the program writes -----===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_NAMED_STATICS_H
#define NVMOVE_SRC_NAMED_STATICS_H

#include "base/layout.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* At most so many can be followed. */
#define NVMI_MOST_STATICS 4096u
#define NVMI_MOST_IMAGES 16u
#define NVMI_STATIC_BYTES ((uint64_t)1 << 32) /* each is smaller */

/* A static of the program, as registered. */
struct nvmi_static {
    const char *name;
    uint64_t address;
    size_t size_bytes, element_bytes;
    uint64_t build; /* an image (program or library, for what has no name); else 0 */
};
/* Where the pool says that one lay, and of which build. */
struct nvmi_static_value {
    uint64_t address, build;
};

const struct nvmi_static *nvmi_static_find(const char *name); /* NULL: it is not registered */
/* Entries of statics in the pool; NULL at the end. */
struct nvm_disk_entry *nvmi_static_first(void);
struct nvm_disk_entry *nvmi_static_next(struct nvm_disk_entry *entry);
/* What an entry says; and makes it say where the static is now. */
struct nvmi_static_value nvmi_static_recorded(struct nvm_disk_entry *entry);
void nvmi_static_record(struct nvm_disk_entry *entry, const struct nvmi_static *object);
/* The entry is of an image, and the program's is another build of it. */
bool nvmi_static_is_of_another_build(struct nvm_disk_entry *entry);

/* It lies elsewhere than the entry says, or is of another build. */
bool nvmi_static_has_moved(struct nvm_disk_entry *entry);

/* Does the program have the pool's statics, and alike? 0, ENOEXEC [pool-layout] or EINVAL. */
int nvmi_statics_match(void);
/* Do they lie elsewhere than pointers in the pool lead? Then: only those that are locals
 * of main's, no image? */
bool nvmi_statics_moved(void);
bool nvmi_statics_moved_on_stack(void);
/* Of a new pool: reports what would keep a later start from opening it. */
void nvmi_statics_warn(void);
/* One of them lies in an image that moves. */
bool nvmi_statics_may_move(void);
/* Is the word an address of what is neither in the pool nor a static that is followed? */
bool nvmi_is_of_another_process(uint64_t word);
/* In the start-up section: the pool gets an entry for each static, with its address. */
void nvmi_statics_enter(void);

#endif /* NVMOVE_SRC_NAMED_STATICS_H */
