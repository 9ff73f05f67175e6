//===- Dominators.h - Which node every path goes through -*- C++ -*- ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_PROGRAM_DOMINATORS_H
#define NVMOVE_PASSES_SOLVE_PROGRAM_DOMINATORS_H

#include "passes/facts/Facts.h"

namespace nvmove {

/// Immediate dominators of a graph whose entry is node 0: d dominates n when
/// every path from the entry to n goes through d. (Cooper, Harvey, Kennedy: A
/// Simple, Fast Dominance Algorithm. LLVM's generic tree wants graph traits
/// over pointers for what is forty lines over indices.)
class Dominators {
public:
  explicit Dominators(const std::vector<std::vector<Id>> &successors);

  /// Nodes that the entry leads to, in reverse post-order: a dominator stands
  /// before what it dominates.
  const std::vector<Id> &order() const { return order_; }
  /// None for the entry and for nodes that it does not lead to.
  Id immediate(Id node) const;

private:
  std::vector<Id> order_, position_, idom_; ///< idom_: positions
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_PROGRAM_DOMINATORS_H
