/*===- roots.h - statics that live in the pool ------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_NAMED_ROOTS_H
#define NVMOVE_SRC_NAMED_ROOTS_H

#include "base/layout.h"
#include "named/table.h"
#include <stdbool.h>
#include <stddef.h>

/* A plain root, or with element_bytes a pointer to an array of records. Behind a
 * pointer, `address` is that pointer's. */
struct nvmi_root {
    const char *name;
    void *address;
    size_t size_bytes;
    size_t element_bytes;
    bool pointers; /* and nothing else */
    bool may_end;  /* some may lead to what ends with the process */
    bool is_behind;
    bool is_due;   /* nvm_restore() has found no record to give the value back to */
    size_t offset; /* in what the pointer leads to */
    struct nvmi_fields fields;
    struct nvm_disk_entry *entry; /* in the open pool */
};

int nvmi_roots_check(void);
void nvmi_roots_enter(void);
bool nvmi_roots_are_volatile(void); /* a field of a root array is */
void nvmi_roots_collect(void);      /* under the heap lock: statics to their mirrors */
void nvmi_roots_restore(void);      /* mirrors to statics, arrays merged */
void nvmi_roots_give_due(void);     /* to records that were not there then, but are now */
void nvmi_roots_check_due(void);    /* ends the process where one is still not there */

/* The rest is for roots that come and go while the pool may be open: commit/late_roots.c. */
const struct nvmi_root *nvmi_roots_find(const char *name); /* NULL: it is not registered */
void nvmi_roots_note_slot(void *slot);                     /* roots are behind this pointer */
/* In a section, under the heap lock: registers a root, or finds it registered. */
void nvmi_roots_add_late(struct nvmi_root root);
/* Roots are behind a pointer that leads to the record. Any thread, without a lock. */
bool nvmi_roots_are_behind(const void *record);
/* In a section, under the heap lock: roots behind pointers to the record keep their values; */
void nvmi_roots_leave_record(const void *record);
/* likewise those in this part of memory. */
void nvmi_roots_leave_range(const char *from, const char *end);

#endif /* NVMOVE_SRC_NAMED_ROOTS_H */
