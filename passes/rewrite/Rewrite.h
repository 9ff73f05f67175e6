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
#include "passes/solve/Solution.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace nvmove {

/// The order in which a reviewer reads and applies the patches.
enum class Layer : uint8_t {
  Roots = 1,
  Allocation = 2,
  Sections = 3,
  Stores = 4,
  Serialization = 5, ///< only with SolveOptions::noSerialization
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

#endif // NVMOVE_PASSES_REWRITE_REWRITE_H
