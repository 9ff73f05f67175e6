//===- DefinitionIndex.h - Where the values of nodes come from -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_PROGRAM_DEFINITIONINDEX_H
#define NVMOVE_PASSES_SOLVE_PROGRAM_DEFINITIONINDEX_H

#include "passes/facts/Facts.h"
#include "passes/facts/IdSet.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace nvmove {

/// For each node the constraints and the call that give it a value: to go from
/// a number back to what it is computed from.
class DefinitionIndex {
public:
  explicit DefinitionIndex(const Facts &facts) {
    for (Id i = 0; i < facts.constraints.size(); ++i) {
      const Constraint &c = facts.constraints[i];
      if (c.dst != None && c.src != None && c.flow != Flow::Store &&
          c.flow != Flow::CopyMemory)
        definitions_[c.dst].push_back(i);
    }
    for (Id i = 0; i < facts.calls.size(); ++i)
      if (facts.calls[i].result != None)
        calls_[facts.calls[i].result] = i;
  }

  /// Constraints, each with a source.
  llvm::ArrayRef<Id> definitions(Id node) const {
    auto at = definitions_.find(node);
    return at == definitions_.end() ? llvm::ArrayRef<Id>()
                                    : llvm::ArrayRef<Id>(at->second);
  }
  /// The call whose result it is, or None.
  Id call(Id node) const {
    auto at = calls_.find(node);
    return at == calls_.end() ? None : at->second;
  }

private:
  IdMap<llvm::SmallVector<Id, 2>> definitions_;
  IdMap<Id> calls_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_PROGRAM_DEFINITIONINDEX_H
