/*===- table.h - entries of the pool's tables -------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Registrations come from constructors, before any pool is open: they are only
 * remembered. At open they are compared with the pool's tables; what is new is
 * entered in the start-up section, what differs is refused.
 */
#ifndef NVMOVE_SRC_NAMED_TABLE_H
#define NVMOVE_SRC_NAMED_TABLE_H

#include "base/layout.h"
#include "nvmove/nvm.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Dies [registered-late] when a pool is open: a plug-in came too late. */
void nvmi_register_early(const char *what, const char *name);

struct nvmi_fields {
    const struct nvm_field *field;
    unsigned count;
};
struct nvm_disk_entry *nvmi_entry_first(void);
struct nvm_disk_entry *nvmi_entry_next(struct nvm_disk_entry *entry); /* NULL at the end */
struct nvm_disk_entry *nvmi_entry_find(unsigned kind, const char *name);
/* Adds an entry with a zero value; dies [pool-full] when the table is full. */
struct nvm_disk_entry *nvmi_entry_add(unsigned kind, const char *name, uint64_t a, uint64_t b,
                                      struct nvmi_fields fields, uint32_t value_bytes);
/* Bytes that are left in the table; that an entry without fields takes. */
uint64_t nvmi_entry_room(void);
size_t nvmi_entry_bytes(const char *name, uint32_t value_bytes);
/* Of an entry without fields. False: the name does not fit into it. */
bool nvmi_entry_rename(struct nvm_disk_entry *entry, const char *name);
const char *nvmi_entry_name(const struct nvm_disk_entry *entry);
void *nvmi_entry_value(struct nvm_disk_entry *entry);
/* Writes all that differs between the entry's fields and these into `text`; false:
 * nothing does. */
bool nvmi_entry_differs(const struct nvm_disk_entry *entry, struct nvmi_fields fields, char *text,
                        size_t text_bytes);
/* The first field of an entry, or the one after `previous`; the entry has
 * field_count of them. */
struct nvmi_entry_field {
    const struct nvm_disk_field *disk;
    struct nvm_field field;
};
/* NVM_KIND_..; the lower bits are the class of the type. */
static inline bool nvmi_is_kind(const struct nvm_field *f, unsigned kind)
{
    return (f->kind & ~0xffu) == kind;
}
/* A float, a double, a complex number. */
static inline bool nvmi_is_real(const struct nvm_field *f)
{
    return f->kind == 1 + 8 || f->kind == 1 + 9;
}
/* A struct or a union, as __builtin_classify_type() says: of what is declared
 * NVM_DESCRIPTOR, an fd_set or a lock. */
static inline bool nvmi_is_struct(const struct nvm_field *f)
{
    return (f->kind & 0xffu) == 1 + 12 || (f->kind & 0xffu) == 1 + 13;
}
struct nvmi_entry_field nvmi_entry_field(const struct nvm_disk_entry *entry,
                                         const struct nvmi_entry_field *previous);
/* Of fields that do not differ: what the program says about their kinds holds from
 * now on. */
void nvmi_entry_adopt_kinds(struct nvm_disk_entry *entry, struct nvmi_fields fields);
void nvmi_entry_set_b(struct nvm_disk_entry *entry, uint64_t b);
/* Checks every entry. 0, or EINVAL [pool-damaged]. */
int nvmi_table_check(void);
/* For what is registered before the pool is opened: `items`, with room for one more
 * than `count`. Ends the process if there is no memory for `what`. */
void *nvmi_grow(void *items, size_t count, size_t *capacity, size_t item_bytes, const char *what);

#endif /* NVMOVE_SRC_NAMED_TABLE_H */
