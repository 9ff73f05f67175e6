/*===- pointers.h - which words of a pool are pointers? ---------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * To move a heap one must know of each word that looks like an address in it
 * whether it is one. The layouts say so of fields declared NVM_POINTER, directly or
 * in an NVM_RECORD; type "pointers" and roots declared NVM_ROOT_POINTERS are made
 * of pointers. Everything else that looks like an address is unknown, unless the
 * caller promises or presumes what it is.
 */
#ifndef NVMOVE_SRC_POINTERS_H
#define NVMOVE_SRC_POINTERS_H

#include "reachability/reach.h"

/* Of a type, a field ("type.field", "type.record.field") or a root: the words that
 * look like addresses are pointers, or are none. */
struct nvmi_promise {
    const char *name;
    bool pointers;
};

enum nvmi_ending { NVMI_POINTER, NVMI_DESCRIPTOR, NVMI_DESCRIPTORS };

struct nvmi_pointers {
    const struct nvmi_reach *reach; /* only what is reached is looked at */
    /* Where the pointers lead that are looked for; both are multiples of
     * NVM_PAGE_BYTES. Not all of it when leads() is there to ask. */
    uint64_t target, target_bytes;
    bool (*leads)(void *context, uint64_t address);
    bool named;      /* only their names are wanted, all of them in `unknown` */
    bool of_statics; /* what is computed from addresses of the heap is none of them */
    bool on_stack;   /* and what is computed from addresses of an image is none either */
    bool presumed;   /* an aligned word of which nothing is known is a pointer */
    const struct nvmi_promise *promise;
    size_t promise_count;
    /* For each pointer; it may change the word. */
    void (*see)(void *context, unsigned char *place);
    /* Instead of all that: called for each word of fields declared NVM_VOLATILE and each
     * int, or word of an fd_set, of those declared NVM_DESCRIPTOR. */
    void (*see_volatile)(void *context, unsigned char *place, enum nvmi_ending what);
    void *context;
    struct {
        unsigned type;
        const char *name; /* NULL: none was seen */
        uint64_t prefix;
        const struct nvm_disk_entry *layout;
        bool pointers, sought, fills_blocks;
    } of;               /* the type seen last */
    char unknown[1000]; /* names of fields and roots with words of which it is not known */
};

/* The target is the heap. */
void nvmi_pointers_into_heap(struct nvmi_pointers *pointers);

void nvmi_pointers(struct nvmi_pointers *pointers);

/* For who changes them, in a section: commits what has been changed, */
void nvmi_pointers_commit(void);
/* if these were so many that an engine may have no room for more. */
void nvmi_pointers_commit_some(uint64_t changed);

#endif /* NVMOVE_SRC_POINTERS_H */
