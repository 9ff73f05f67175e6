//===- Blocks.h - The statements of a block, by its tokens ------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_REWRITE_TEXT_BLOCKS_H
#define NVMOVE_PASSES_REWRITE_TEXT_BLOCKS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace nvmove {

struct Extent {
  uint32_t begin = 0, end = 0;
};

/// Offset after the '{' of the function whose name is at `name`.
uint32_t bodyAfter(llvm::StringRef text, uint32_t name);

/// The statement directly in the block whose first token is at or after
/// `body` that holds [begin, end), with its semicolon or brace. None when the
/// braces do not match, as where an #if cuts through them.
std::optional<Extent> blockStatement(llvm::StringRef text, uint32_t body,
                                     uint32_t begin, uint32_t end);

/// Offset after the '{' of the outermost block within what begins at `begin`
/// that holds `inside`; `begin` where there is none.
uint32_t blockAround(llvm::StringRef text, uint32_t begin, uint32_t inside);

/// Offsets behind the colons of the labels that stand in the function's body at
/// or after `end`, and that a goto before `end` names. `body` is behind the
/// '{' of it.
std::vector<uint32_t> labelsJumpedTo(llvm::StringRef text, uint32_t body,
                                     uint32_t end);

} // namespace nvmove

#endif // NVMOVE_PASSES_REWRITE_TEXT_BLOCKS_H
