//===- Patches.h - Edits as unified diffs -----------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_REWRITE_TEXT_PATCHES_H
#define NVMOVE_PASSES_REWRITE_TEXT_PATCHES_H

#include "passes/rewrite/text/Edit.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace nvmove {

struct Patch {
  std::string name; ///< "1-roots.patch"
  std::string text; ///< unified diff for `patch -p1` in `root`
  uint32_t files = 0, hunks = 0;
};

/// One patch per layer that has edits; each applies on top of the ones before.
/// Paths in the patches are relative to `root`, the deepest directory that
/// holds all edited files.
llvm::Expected<std::vector<Patch>>
makePatches(const Facts &facts, const std::vector<Edit> &edits,
            const std::vector<std::string> &contents, const std::string &root);

} // namespace nvmove

#endif // NVMOVE_PASSES_REWRITE_TEXT_PATCHES_H
