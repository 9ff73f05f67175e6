//===- RootInsertions.h - Who puts new blocks into roots? -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_STARTUP_ROOTINSERTIONS_H
#define NVMOVE_PASSES_SOLVE_STARTUP_ROOTINSERTIONS_H

#include "passes/solve/program/DefinitionIndex.h"
#include "passes/solve/state/Analysis.h"
#include <set>

namespace nvmove {

/// Functions that link a block of their own among those that the load puts into
/// a root, where they name the root: by themselves, or by helpers that they
/// hand its address to, list_add(rule, &rule->node, &table[hash]).
///
/// What counts is a push (what was there goes on in the block that takes its
/// place), a block behind another of its type, and one in an element of an
/// array. A pointer that is set is none: each start may make what it leads to.
///
/// Forward along the values of each function, and into direct callees with what
/// is known of their arguments, once for each such set.
class RootInsertions {
public:
  explicit RootInsertions(const View<const Types, const nvmove::Roots> &found);

  struct Added {
    Id variable;
    std::string root; ///< its path, or the variable's name if it has several
    Id record;        ///< of the block, or of the member of it that is linked
    Id made;          ///< of the block, if it is made in the same function
    Loc loc;          ///< of the store
    bool operator<(const Added &o) const {
      return std::tie(root, loc, record) < std::tie(o.root, o.loc, o.record);
    }
  };
  using Set = std::set<Added>;
  /// For the roots that `function` itself names.
  const Set &in(Id function);

private:
  /// What a value is, bits of: the address of a static, some of whose members
  /// are roots; of a root; one out of a root; a new block.
  enum : uint8_t { Around = 1, Place = 2, Inside = 4, New = 8 };
  using Bits = uint8_t;
  using Roots = std::vector<const Root *>;
  /// A function, and what it is handed.
  using Instance = std::pair<Id, std::vector<Bits>>;
  struct Outcome {
    Bits result = 0;
    Set added;
  };
  class Walk;
  const Outcome &outcome(Id variable, Instance instance, unsigned depth);
  const Root *rootOf(Id variable, Id field) const;
  Id newRecord(Id call) const;
  bool makes(Id function, unsigned depth);

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  std::map<Id, Roots> roots_;      ///< by variable
  IdMap<std::vector<Id>> namedIn_; ///< function -> such variables
  IdSet entries_;                  ///< records of blocks that the load makes
  std::map<std::pair<Id, Instance>, Outcome> outcomes_; ///< by variable
  std::map<Id, bool> makes_;                            ///< by function
  std::map<Id, Set> found_;                             ///< by function
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STARTUP_ROOTINSERTIONS_H
