//===- Elements.h - Blocks that hold several records -----------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_REWRITE_LAYOUTS_ELEMENTS_H
#define NVMOVE_PASSES_REWRITE_LAYOUTS_ELEMENTS_H

#include "passes/rewrite/context/Context.h"

namespace nvmove {

/// What the size of a block says of the records in it.
enum class Room : uint8_t {
  One,
  Several, ///< and nothing else: n * sizeof(T), calloc(n, sizeof(T))
  More,    ///< other bytes follow: sizeof(T) + n
  Unknown,
};

/// As an argument spells it: "n * sizeof(struct item)".
Room roomIn(llvm::StringRef size);

/// Something in records of this type ends with the process, some of its blocks
/// hold several of them and none anything else: what follows the first
/// record is more of them. Tells where that is not certain.
bool fillsBlocks(Context &context, Id record);

} // namespace nvmove

#endif // NVMOVE_PASSES_REWRITE_LAYOUTS_ELEMENTS_H
