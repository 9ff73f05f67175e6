//===- FlowBlocks.h - The flow graph of a function, as facts ----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_BODY_FLOWBLOCKS_H
#define NVMOVE_PASSES_COLLECT_BODY_FLOWBLOCKS_H

#include "passes/collect/body/DefinitionFacts.h"

namespace nvmove {

/// The blocks that may still turn out to be dead ends, when it is known what
/// the functions of other files do; all of a function that never returns. Runs
/// when the calls and stores of the body are collected.
void addFlowBlocks(DefinitionFacts &out, const clang::FunctionDecl *f);

/// Where the body uses pointers that may be null: likewise.
void addPointerUses(DefinitionFacts &out, clang::FunctionDecl *f);

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_BODY_FLOWBLOCKS_H
