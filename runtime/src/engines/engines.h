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

const struct nvm_engine *nvmi_engine_by_name(const char *name); /* NULL: unknown */
const struct nvm_engine *nvmi_engine_by_number(uint32_t number);
extern const struct nvm_engine *const nvmi_engines[]; /* ends with NULL */

#endif /* NVMOVE_SRC_ENGINES_ENGINES_H */
