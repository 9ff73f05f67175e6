/*===- collect.h - blocks that a crash has orphaned -------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * After a restart, blocks that were reachable only from variables in DRAM (an
 * incomplete argument, a client's buffer) are garbage, and reference counts
 * (NVM_COUNT) include references from such variables. A collection frees the blocks
 * and lowers the counts. Both remain garbage until the program itself frees
 * something, so a separate process of the runtime finds them while the program runs
 * (engine redo; under other engines nvm_restore() waits for it), and the ends of
 * sections correct a few at a time.
 *
 * A program that requests a collection promises: at its start, every block that it
 * still needs is reachable. A block is reachable if the address of one of its bytes
 * is stored as an address (at any alignment; the upper 16 bits may have any value)
 * in a root, a kept value, a named region or a reachable block. Addresses that are
 * encrypted, XORed, stored as distances between blocks or in another file, or that
 * point just past the end of the block do not count. With NVM_GC=typed it also
 * promises that objects have the types of their blocks. docs/collection.md has the
 * argument.
 */
#ifndef NVMOVE_COLLECT_H
#define NVMOVE_COLLECT_H

#include "nvm.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What collections have done since the pool was opened. */
struct nvm_collection {
    unsigned long objects, bytes; /* freed */
    unsigned long counts;         /* lowered */
};

/* Before nvm_restore(): requests a collection, as NVM_GC=1 does; `out` is set to zero.
 *
 * After nvm_ready() and outside of sections: completes the requested collection and
 * commits it; everything so far is durable when it returns. Any thread.
 *
 * In a new pool, or with engine none, there is nothing to collect. A crash in the
 * middle leaves the rest for the next collection. `out` may be NULL. Returns 0, or
 * EINVAL: no pool is open, this is a forked child, or no collection was requested in
 * time; EBUSY: in a section; ECANCELED: the program freed a block that was not
 * reachable, so the promise does not hold, and nothing more is freed; ENOMEM, EIO:
 * marking failed. */
int nvm_collect(struct nvm_collection *out);

#ifdef __cplusplus
}
#endif

#endif /* NVMOVE_COLLECT_H */
