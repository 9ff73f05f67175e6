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
#include "named/watch.h"
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
    bool is_settled; /* nothing that runs after start-up writes it */
    bool was_seen;   /* by a commit after start-up, in the open pool */
    bool is_tally;   /* counts what ends with the process, too */
    bool is_due;     /* nvm_restore() has found no record to give the value back to */
    size_t offset;   /* in what the pointer leads to */
    struct nvmi_fields fields;
    struct nvm_disk_entry *entry; /* in the open pool */
    char *mirror;                 /* its value there */
    struct nvmi_watch watch;
};

/* Compares the program's roots with the pool's tables. 0 or ENOEXEC [pool-layout]. */
int nvmi_roots_check(void);
/* What the roots registered so far take in the tables of a new pool. */
uint64_t nvmi_roots_bytes(void);
/* In the start-up section: each root gets its entry. */
void nvmi_roots_enter(void);
/* Is a field of a root array declared NVM_VOLATILE? */
bool nvmi_roots_are_volatile(void);
/* At commit, under the heap lock: copies the statics to their mirrors in the pool, but for tallies.
 */
void nvmi_roots_collect(void);
/* At commit, under the heap lock, only if there are other changes to commit: copies the statics of
 * tallies to their mirrors in the pool. */
void nvmi_roots_collect_tallies(void);
/* Copies the mirrors to the statics, and merges arrays. */
void nvmi_roots_restore(void);
/* Copies the mirrors to the fields of records that did not exist in nvmi_roots_restore(), but do
 * now. */
void nvmi_roots_give_due(void);
/* Ends the process if the record of such a field still does not exist. */
void nvmi_roots_check_due(void);

/* The following is for roots that are registered and removed while a pool may be open:
 * commit/late_roots.c. */
const struct nvmi_root *nvmi_roots_find(const char *name); /* NULL: it is not registered */
/* Notes that roots are reached through this pointer. Any thread. */
void nvmi_roots_note_slot(void *slot);
/* In a section, under the heap lock: registers a root, or finds it registered. */
void nvmi_roots_add_late(struct nvmi_root root);
/* Does a pointer through which roots are reached point to the record? Any thread, without a lock.
 */
bool nvmi_roots_are_behind(const void *record);
/* In a section, under the heap lock: the roots in the record keep their values in the pool. */
void nvmi_roots_leave_record(const void *record);
/* In a section, under the heap lock: the roots in this range of memory keep their values in the
 * pool. */
void nvmi_roots_leave_range(const char *from, const char *end);

#endif /* NVMOVE_SRC_NAMED_ROOTS_H */
