//===- SetFlow.h - Sets that flow from node to node -------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the two inclusion-based analyses share: each node has a set, what is new
// in it is pending until it has been passed on along the edges, and nodes that
// copy to each other in a circle are merged. What a node admits, and what else
// happens to what is new, is for who derives from it.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_FLOW_SETFLOW_H
#define NVMOVE_PASSES_SOLVE_FLOW_SETFLOW_H

#include "passes/solve/flow/NodeOrder.h"
#include "passes/solve/flow/SetPool.h"
#include "llvm/ADT/DenseSet.h"

namespace nvmove {

class SetFlow {
protected:
  using Ref = SetPool::Ref;

  void resize(size_t nodes);
  Id addNode();
  /// The node that stands for `node`.
  Id find(Id node) const { return order_.find(node); }
  const SetPool::Set &setOf(Id node) const { return pool_[sets_[find(node)]]; }
  /// One more edge; false when there is one already, or none is needed.
  bool connect(Id from, Id to);
  /// Into the set of a node that stands for itself, which has none of it.
  void gain(Id node, Ref what);
  /// What is pending there, which is then not.
  Ref take(Id node) { return std::exchange(pending_[node], Ref::Empty); }
  /// Two nodes that hold the same, as is known beforehand. merge(into, from) as
  /// below.
  void unify(Id into, Id from, llvm::function_ref<void(Id, Id)> merge);
  /// Now and then: merges circles of nodes that are `alike` and forgets sets;
  /// true if so, then only those of nodes are still named as they were.
  /// merge(into, from) moves what the derived class keeps for a node.
  bool tidy(llvm::function_ref<bool(Id, Id)> alike,
            llvm::function_ref<void(Id, Id)> merge);
  /// Keeps only the sets: nothing flows any more.
  void finish();

  SetPool pool_;
  std::vector<Ref> sets_, pending_;
  NodeOrder order_;
  NodeOrder::Edges out_;
  llvm::DenseSet<std::pair<Id, Id>> edges_;

private:
  void sweep();
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_FLOW_SETFLOW_H
