//===- Rewrite.h - From the solution to reviewable patches -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   Facts + Solution --makeEdits--> edits --makePatches--> patches/*.patch
//
// The facts already know the bytes that each site covers, so no second parse is
// needed (docs/decisions/0002). A file whose content changed since it was
// analysed is an error. A site that cannot be edited in place becomes a
// Finding entry, never a silent omission.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_REWRITE_REWRITE_H
#define NVMOVE_PASSES_REWRITE_REWRITE_H

#include "passes/facts/Accesses.h"
#include "passes/rewrite/text/Edit.h"
#include "passes/rewrite/text/Patches.h"
#include "passes/solve/Solution.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>
#include <vector>

namespace nvmove {

struct EditResult {
  std::vector<Edit> edits; ///< sorted by file, offset, order; no two overlap
  FindingList findings;
  std::map<std::string, uint32_t> counts; ///< "stores announced" -> 664, ...
  /// Records that were to have a line log by name, and why they have none.
  std::map<Id, std::string> withoutLineLog;
};

/// `contents[i]` is the text of facts.files[i] for editable files, and for
/// those with the text of some store or call: in a macro of a system header.
llvm::Expected<EditResult> makeEdits(const Facts &facts,
                                     const Solution &solution,
                                     const std::vector<std::string> &contents);

/// In the place of makeEdits(): a delay for each access, no pool.
llvm::Expected<EditResult>
makeEmulation(const Facts &facts, const Solution &solution,
              const std::vector<std::string> &contents,
              const Accesses &accesses, llvm::StringRef profile);

} // namespace nvmove

#endif // NVMOVE_PASSES_REWRITE_REWRITE_H
