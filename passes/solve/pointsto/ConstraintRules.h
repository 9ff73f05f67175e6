//===- ConstraintRules.h - What the constraints of the text do --*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constraints become edges, and watches of what addresses lead to. What flows
// is the same for many nodes, so what happens to it is done once: a node for
// what lies behind a set, or is stored there; the fields of a set.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_POINTSTO_CONSTRAINTRULES_H
#define NVMOVE_PASSES_SOLVE_POINTSTO_CONSTRAINTRULES_H

#include "passes/solve/pointsto/MemoryCopies.h"
#include <optional>

namespace nvmove {

class ConstraintRules {
public:
  using Ref = ValueGraph::Ref;

  ConstraintRules(const PointsToInput &input, ValueGraph &graph, Cells &cells,
                  const TypeOverlays &overlays, PriorContents &prior,
                  Marks &marks, MemoryCopies &copies);

  void add(const Constraint &c);
  /// A watch of use Load, Store, Member or Beside meets a location.
  void access(const Watch &w, Id location);
  /// The same for a whole set at once, where that is shared; false: it is not.
  bool accessShared(const Watch &w, Ref what);
  /// Refs are no longer those they were.
  void forget();
  /// Objects may admit more fields than they did.
  void forgetMembers() { members_.clear(); }

private:
  void become(Id dst, Id src);
  bool isKnown(const Constraint &c);
  void cast(const Constraint &c);
  void takeAddress(const Constraint &c);
  void store(const Constraint &c);
  Id hubOf(Watch::Use use, Ref what);
  Ref membersOf(Ref what, Id field);
  std::optional<Id> member(Id location, Id field);
  bool copiesOntoItself(const Constraint &c) const;

  const PointsToInput &in_;
  const Program &p_;
  ValueGraph &graph_;
  Cells &cells_;
  const TypeOverlays &overlays_;
  PriorContents &prior_;
  Marks &marks_;
  MemoryCopies &copies_;
  /// Flow, source, field and type -> the node that holds what they give.
  std::map<std::tuple<Flow, Id, Id, Id>, Id> known_;
  llvm::DenseMap<Ref, Id> loads_, stores_;
  llvm::DenseMap<std::pair<Ref, Id>, Ref> members_;
  IdMap<Id> stored_; ///< address -> hub of what is stored there
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_POINTSTO_CONSTRAINTRULES_H
