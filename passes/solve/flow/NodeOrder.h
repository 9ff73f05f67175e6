//===- NodeOrder.h - Nodes that copy to each other in a circle -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nodes that copy to each other in a circle hold the same set, and going round
// is what makes large programs slow. Now and then the circles that have come up
// are merged (Hardekopf and Lin, PLDI 2007: it need not be done at each edge),
// and what is pending is taken in topological order of the rest (Pereira and
// Berlin, CGO 2009).
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_FLOW_NODEORDER_H
#define NVMOVE_PASSES_SOLVE_FLOW_NODEORDER_H

#include "passes/facts/Facts.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <queue>

namespace nvmove {

/// Which nodes have been merged into one, and what is to be done next.
class NodeOrder {
public:
  using Edges = std::vector<llvm::SmallVector<Id, 2>>;

  void resize(size_t nodes);
  Id add(); ///< one more node
  /// The node that stands for `node`.
  Id find(Id node) const;
  /// From now on `into` stands for `from`, too; both stood for themselves.
  void join(Edges &out, Id into, Id from);
  void push(Id node) { work_.push({order_[node], node}); }
  bool empty() const { return work_.empty(); }
  Id pop();
  /// Something was passed along so many edges; after many it is time to
  /// collapse.
  void passed(size_t edges) { propagations_ += edges; }
  bool isDue() const { return propagations_ > next_; }
  /// Merges what copies to each other in a circle, where all are `alike`:
  /// merge(into, from) moves what belongs to the node. Nodes for which
  /// isPending() holds are queued again.
  void collapse(Edges &out, size_t edges,
                llvm::function_ref<bool(Id, Id)> alike,
                llvm::function_ref<void(Id, Id)> merge,
                llvm::function_ref<bool(Id)> isPending);

private:
  std::vector<std::pair<Id, Id>>
  circles(const Edges &out, llvm::function_ref<bool(Id, Id)> alike);

  mutable std::vector<Id> parent_; ///< a forest
  std::vector<Id> order_;
  std::priority_queue<std::pair<Id, Id>, std::vector<std::pair<Id, Id>>,
                      std::greater<>>
      work_; ///< sources of the flow first
  uint64_t propagations_ = 0, next_ = 50000;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_FLOW_NODEORDER_H
