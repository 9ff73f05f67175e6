/*===- named.h - types, roots, keeps and twins ------------------------------===
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
#ifndef NVMOVE_SRC_NAMED_H
#define NVMOVE_SRC_NAMED_H

#include "base/pool.h"

struct nvmi_reach;

/* roots.c. Dies [registered-late] when a pool is open: a plug-in came too late. */
void nvmi_register_early(const char *what, const char *name);

/* table.c: entries of the pool's tables. */
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
/* The first field of an entry, or the one behind `previous`; the entry has
 * field_count of them. */
struct nvmi_entry_field {
    const struct nvm_disk_field *disk;
    struct nvm_field field;
};
/* NVM_KIND_..; the class of the type stands below it. */
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
 * than `count`. Ends the process when there is no memory for `what`. */
void *nvmi_grow(void *items, size_t count, size_t *capacity, size_t item_bytes, const char *what);

/* types.c */
struct nvmi_type_number {
    struct nvm_disk_entry *entry;
    const struct nvm_type *bound; /* the program's object seen last */
    uint64_t b;                   /* what the entry has, or is to have */
};
extern struct nvmi_type_number *nvmi_type_numbers;
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
/* Has no block of the type been seen that begins with something else than its object? */
static inline bool nvmi_type_begins(unsigned id)
{
    return __atomic_load_n(&nvmi_type_numbers[id].b, __ATOMIC_RELAXED) <= 1;
}
const struct nvm_type *nvmi_type_layout(const char *name); /* NULL: registered without */
int nvmi_types_check(void);         /* against the pool: 0 or ENOEXEC [pool-layout] */
void nvmi_types_adopt(void);        /* what the program says about the kinds of fields holds */
bool nvmi_types_are_volatile(void); /* a field of the program's is */
bool nvmi_type_fills_blocks(const char *name); /* NVM_ELEMENTS */
void nvmi_types_read(void);                    /* what the pool has */
void nvmi_types_enter(void);                   /* and what it does not have yet */
void nvmi_types_close(void);

/* roots.c */
int nvmi_roots_check(void);
void nvmi_roots_enter(void);
bool nvmi_roots_are_volatile(void);        /* a field of a root array is */
void nvmi_roots_freed(const void *record); /* roots behind pointers to it keep their values */
void nvmi_roots_collect(void);             /* under the heap lock: statics to their mirrors */
void nvmi_roots_restore(void);             /* mirrors to statics, arrays merged */
void nvmi_roots_give_due(void);            /* to records that were not there then, but are now */
void nvmi_roots_check_due(void);           /* ends the process where one is still not there */

/* describe.c: "0x2000..: entry.next, offset 16 of the object .." for what stands at
 * p, an address in the heap. Under the heap lock. */
#define NVMI_DESCRIPTION_BYTES 400u
void nvmi_describe(const void *p, char *text, size_t text_bytes);

/* keeps.c */
int nvmi_keeps_check(void);
void nvmi_keeps_enter(void); /* at open: the pool's values win, others are entered */

/* twins.c */
int nvmi_twins_check(void);
void nvmi_twins_enter(void);
void nvmi_twins_close(void);

/* code.c: functions that objects point to. */
int nvmi_codes_check(void);
void nvmi_codes_enter(void);
void nvmi_codes_close(void);
void nvmi_codes_protect(void);      /* a child has made a copy of all of the heap */
bool nvmi_is_code(uint64_t offset); /* in the arena: a machine page of entries? */

/* statics.c */
int nvmi_statics_check(void); /* EFAULT [pointers-unknown], too */
/* Tells of a new pool what would keep a later start from opening it. */
void nvmi_statics_foretell(void);
bool nvmi_statics_moved(void); /* they lie elsewhere than pointers in the pool lead */
/* Makes the pointers lead there. 0 or ENOMEM. */
int nvmi_statics_follow(const struct nvmi_reach *reach);
bool nvmi_statics_hold(uint64_t address); /* one of this process's */
void nvmi_statics_enter(void);

/* volatile.c */
bool nvmi_volatile_due(void); /* pointers may lead to what ended with another process */
void nvmi_volatile_clear(const struct nvmi_reach *reach);
void nvmi_volatile_close(void);
bool nvmi_is_of_another_process(uint64_t word); /* an address, of what the pool has not */

/* restore.c */
void nvmi_start_up_begin(void);
void nvmi_section_begins(void);  /* the first since there was nothing to load */
bool nvmi_restore_is_done(void); /* nvm_restore() was called */

#endif /* NVMOVE_SRC_NAMED_H */
