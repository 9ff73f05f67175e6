/*===- types.h - types of objects -------------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_NAMED_TYPES_H
#define NVMOVE_SRC_NAMED_TYPES_H

#include "base/layout.h"
#include "nvmove/nvm.h"
#include <stdbool.h>
#include <stdint.h>

struct nvmi_type_number {
    struct nvm_disk_entry *entry;
    const struct nvm_type *bound; /* the program's object seen last */
    uint64_t b;                   /* what the entry has, or is to have */
};
extern struct nvmi_type_number *nvmi_type_numbers; /* by number */
/* The number of a type that is perhaps not in the pool yet. */
unsigned nvmi_type_enter(struct nvm_type *type);
static inline unsigned nvmi_type_id(struct nvm_type *type)
{
    /* It may be the number in a pool that was open before; 0 is no type's. */
    unsigned id = __atomic_load_n(&type->id, __ATOMIC_ACQUIRE);
    return __atomic_load_n(&nvmi_type_numbers[id].bound, __ATOMIC_ACQUIRE) == type
               ? id
               : nvmi_type_enter(type);
}
const char *nvmi_type_name(unsigned id);
void nvmi_types_collect(void); /* at commit, everything locked: prefixes that waited for it */
/* So many bytes of a block of this type lie before the object (a header of the
 * program's own allocator). Not under the heap lock. */
#define NVMI_PREFIX_MIXED UINT64_MAX
void nvmi_type_saw_other(struct nvm_type *type, uint64_t prefix_bytes);
static inline void nvmi_type_saw(struct nvm_type *type, uint64_t prefix_bytes)
{
    uint64_t known = __atomic_load_n(&nvmi_type_numbers[nvmi_type_id(type)].b, __ATOMIC_RELAXED);
    if (known != NVMI_PREFIX_MIXED && (known == 0 || known != prefix_bytes + 1))
        nvmi_type_saw_other(type, prefix_bytes);
}
/* NVMI_PREFIX_MIXED: it is not always the same, or not known. */
uint64_t nvmi_type_prefix(unsigned id);
uint64_t nvmi_entry_prefix(const struct nvm_disk_entry *type);
const struct nvm_type *nvmi_type_layout(const char *name); /* NULL: registered without */
/* Compares the program's layouts with the pool's. 0 or ENOEXEC [pool-layout]. */
int nvmi_types_check(void);
/* What the program says about the kinds of fields holds from now on. */
void nvmi_types_adopt(void);
/* Is a field of the program's declared NVM_VOLATILE or NVM_DESCRIPTOR? */
bool nvmi_types_are_volatile(void);
/* Are blocks of the type full of its records (NVM_ELEMENTS)? */
bool nvmi_type_fills_blocks(const char *name);
/* Reads the types that the pool has; and, in the start-up section, enters those that it does not
 * have yet. */
void nvmi_types_read(void);
void nvmi_types_enter(void);
void nvmi_types_close(void);

#endif /* NVMOVE_SRC_NAMED_TYPES_H */
