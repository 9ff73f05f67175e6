/*===- audit.h - a listener to what is announced ----------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * An audit build (nvmove-cc --audit) checks each store of the program against
 * what was announced, to the byte. So it must hear of every announcement, also
 * of lines that are announced already.
 */
#ifndef NVMOVE_SRC_AUDIT_H
#define NVMOVE_SRC_AUDIT_H

#include <stdint.h>

struct nvmi_audit {
    void (*opened)(void); /* a pool was opened, and its stores are announced */
    void (*closed)(void);
    /* These bytes of the heap are about to be written. */
    void (*announced)(uint64_t offset, uint64_t size_bytes);
    /* A section has ended or committed in its middle: what was announced counts
     * no longer. */
    void (*ended)(void);
};

#endif /* NVMOVE_SRC_AUDIT_H */
