//===- Edit.h - A change of a file ------------------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_REWRITE_TEXT_EDIT_H
#define NVMOVE_PASSES_REWRITE_TEXT_EDIT_H

#include "passes/facts/Facts.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace nvmove {

/// The order in which a reviewer reads and applies the patches.
enum class Layer : uint8_t {
  Roots = 1,
  Allocation = 2,
  Sections = 3,
  Stores = 4,
  Serialization = 5, ///< with SolveOptions::noSerialization alone
};

/// The layer of a library function's nvm_ form; none if the runtime has no
/// such function.
std::optional<Layer> layerOf(llvm::StringRef replacement);

/// Replace `removed` bytes at `offset` by `text`. Insertions (`removed == 0`)
/// at one offset nest: `order` sorts them, smaller first.
struct Edit {
  Id file = None;
  uint32_t offset = 0, removed = 0;
  std::string text;
  Layer layer = Layer::Stores;
  int32_t order = 0;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_REWRITE_TEXT_EDIT_H
