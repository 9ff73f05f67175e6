/*===- engines.h - the table of engines -------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_ENGINES_ENGINES_H
#define NVMOVE_SRC_ENGINES_ENGINES_H

#include "base/engine.h"

extern const struct nvm_engine *const nvmi_engines[]; /* ends with NULL */

const struct nvm_engine *nvmi_engine_by_name(const char *name); /* NULL: unknown */
const struct nvm_engine *nvmi_engine_by_number(uint32_t number);
/* Of a new pool for which none is named, with power durability or without. */
const struct nvm_engine *nvmi_default_engine(bool power);
/* Of the pools that nvm-replica makes: the first that holds_replica. */
const struct nvm_engine *nvmi_engine_of_replicas(void);

/* Does an engine have a capability? This is the offset of a bool of struct nvm_engine. */
static inline bool nvmi_engine_can(const struct nvm_engine *engine, size_t capability)
{
    return *(const bool *)((const char *)engine + capability);
}

/* Why an engine is refused, for a message: "engine tx cannot have a replica: redo, undo, incll,
 * dual and versions can". It names the durable engines that have the capability, in the order of
 * the table. Valid until the thread calls it again. */
#define NVMI_CANNOT(engine, capability, what)                                                      \
    nvmi_engine_cannot(engine, offsetof(struct nvm_engine, capability), what)
const char *nvmi_engine_cannot(const struct nvm_engine *engine, size_t capability,
                               const char *what);

/* Power durability on a medium that is DAX or not. 0, or EINVAL [engine-medium]. */
int nvmi_engine_check_medium(const struct nvm_engine *engine, const char *path, bool dax);

#endif /* NVMOVE_SRC_ENGINES_ENGINES_H */
