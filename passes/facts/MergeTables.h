//===- MergeTables.h - The entities of a program ----------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// First half of merge(): files, records, fields, types, functions and global
// nodes of all parts become one numbered table each. Every entity has a key
// that does not depend on the order of parts, and numbers follow the keys.
// Where parts disagree about an entity the smallest description wins, so that
// the order and the grouping of parts cannot be seen in the result.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_FACTS_MERGETABLES_H
#define NVMOVE_PASSES_FACTS_MERGETABLES_H

#include "passes/facts/Facts.h"
#include <map>
#include <string>
#include <vector>

namespace nvmove {

/// Where the entities of one part went: index in the part -> index in the
/// result.
struct Renumbering {
  std::vector<Id> files, types, records, fields, functions;
  std::vector<Id> nodes; ///< None for nodes that belong to a definition
};

/// Fills the tables of `out` from all `parts`.
std::vector<Renumbering> mergeTables(const std::vector<Facts> &parts,
                                     Facts &out);

} // namespace nvmove

#endif // NVMOVE_PASSES_FACTS_MERGETABLES_H
