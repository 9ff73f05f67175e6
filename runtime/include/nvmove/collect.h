/*===- collect.h - blocks that a crash has orphaned -------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * After a restart, blocks to which only variables in DRAM led (a half-made
 * argument, a client's buffer) are garbage, and counts of references (NVM_COUNT)
 * include references from there. A collection frees the former and lowers the
 * latter. Both are facts from the moment of opening until the program itself frees,
 * so they are found by a process of the runtime's own while the program runs
 * (engine redo; under other engines nvm_restore() waits for it), and put right a
 * few at a time at the ends of sections.
 *
 * What a program that asks for it promises: at its start every block that it still
 * needs is led to by the address of one of its bytes, kept as an address (at any
 * alignment; the upper 16 bits are its own) in a root, a kept value, a named
 * region or a block that is led to itself. Addresses that are encrypted, XORed,
 * kept as distances between blocks or in another file, or that point just behind
 * the block do not count. With NVM_GC=typed it promises as well that objects are of
 * their blocks' types. docs/collection.md has the argument.
 */
#ifndef NVMOVE_COLLECT_H
#define NVMOVE_COLLECT_H

#include "nvm.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Since the pool was opened. */
struct nvm_collection {
    unsigned long objects, bytes; /* freed */
    unsigned long counts;         /* lowered */
};

/* Before nvm_restore(): asks for a collection, as NVM_GC=1 does; `out` is zero.
 *
 * After nvm_ready() and outside of sections: completes the one that was asked for
 * and waits until it is durable as nvm_checkpoint() does. Any thread.
 *
 * Of a new pool, or with engine none, there is nothing to collect. A crash in the
 * middle leaves some of it for the next one. `out` may be NULL. 0, or EINVAL: no pool
 * is open, it is a forked child's, or no collection was asked for in time; EBUSY:
 * in a section; ECANCELED: the program freed a block that nothing led to, so it does
 * not keep the promise, and nothing more is freed; ENOMEM, EIO: marking failed. */
int nvm_collect(struct nvm_collection *out);

#ifdef __cplusplus
}
#endif

#endif /* NVMOVE_COLLECT_H */
