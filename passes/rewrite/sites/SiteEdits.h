//===- SiteEdits.h - Layers two to five -------------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_REWRITE_SITES_SITEEDITS_H
#define NVMOVE_PASSES_REWRITE_SITES_SITEEDITS_H

#include "passes/rewrite/context/Context.h"

namespace nvmove {

void addAllocation(Context &context);
void addSections(Context &context);
void addStores(Context &context);
/// Replaces the name in a call of a library function: the layer follows from
/// the replacement. Unknown names are a defect of the solver:
/// [unknown-replacement].
llvm::Error addReplacements(Context &context);

/// What only the load and the save need, on demand: a layer of its own. Needs
/// nothing of the runtime, hence no preamble: runs behind it.
void addSerialization(Context &context);

/// In the place of all others. `profile`: PCM or STT_RAM.
void addEmulation(Context &context, const Accesses &accesses,
                  llvm::StringRef profile);

} // namespace nvmove

#endif // NVMOVE_PASSES_REWRITE_SITES_SITEEDITS_H
