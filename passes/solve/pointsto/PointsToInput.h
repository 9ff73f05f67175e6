//===- PointsToInput.h - What points-to is given ---------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program, what is known of it before the load is followed, and how far the
// load is to be followed. Every part of the analysis takes it.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_POINTSTO_POINTSTOINPUT_H
#define NVMOVE_PASSES_SOLVE_POINTSTO_POINTSTOINPUT_H

#include "passes/solve/nullness/PreLoadNullness.h"
#include "passes/solve/pointsto/ProgramPointers.h"

namespace nvmove {

struct PointsToOptions {
  std::vector<Id> load; ///< functions
  IdSet cut;            ///< functions that are not entered
  IdSet cutCalls;       ///< calls that are not followed
  IdSet firstUses;      ///< calls that only set something up (FirstUses.h)
  IdSet logging;        ///< functions that only log (LoggingFunctions.h)
  IdSet onTheWay;       ///< between main and load: flow counts, writes do not
  IdSet onRequest;      ///< the same, but what their locals hold goes
  /// What any load function is handed, and hands back, lasts.
  bool callersKeep = false;
  bool tellCallsApart = true;    ///< of small functions
  uint64_t limit = ~uint64_t(0); ///< edges between nodes

  bool leadsToLoad(Id function) const {
    return onTheWay.contains(function) || onRequest.contains(function);
  }
  bool isLoading(Id function) const { ///< or on the way there
    return leadsToLoad(function) || llvm::is_contained(load, function);
  }
};

struct PointsToInput {
  const Program &program;
  const Allocators &allocators;
  const FieldFlow &flow;
  const PreLoadNullness &nullness;
  const ProgramPointers &text;
  const PointsToOptions options;

  /// The node of the text holds what its only definition gives it. Locals of
  /// what leads to the load may hold more from before.
  bool isDefinedOnce(Id node) const {
    const Node &n = program.facts.nodes[node];
    return text.isDefinedOnce(node) &&
           (n.kind != NodeKind::Local || !options.leadsToLoad(n.function));
  }
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_POINTSTO_POINTSTOINPUT_H
