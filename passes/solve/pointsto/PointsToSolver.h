//===- PointsToSolver.h - The parts of points-to ----------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowest first; each part knows those above it in this list.
//
//   ProgramPointers   what the text says, the same for each solve
//   ValueGraph        nodes, sets, edges: the solver loop
//   Cells             objects and their cells
//   CallContexts      copies of small functions
//   TypeOverlays      which records may lie in which objects
//   PriorContents     what memory held before the load
//   Marks             values from outside
//   MemoryCopies      records that are copied whole
//   ConstraintRules   what constraints do
//   CallBinding       which calls are made, and what they hand over
//   (ParameterValues, EmptyRings, LibraryModel: parts of CallBinding)
//
// What the graph meets, a watch or a new cell, is handed on from here to the
// part that it is for.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_POINTSTO_POINTSTOSOLVER_H
#define NVMOVE_PASSES_SOLVE_POINTSTO_POINTSTOSOLVER_H

#include "passes/solve/pointsto/CallBinding.h"

namespace nvmove {

class PointsToSolver : private ValueGraph::Rules, private Cells::Observer {
public:
  PointsToSolver(const Program &program, const Allocators &allocators,
                 const FieldFlow &flow, const PreLoadNullness &nullness,
                 const ProgramPointers &text, PointsToOptions options);
  /// False when there were more edges than the limit allows: nothing is known.
  bool run();

private:
  ValueGraph::Ref admitted(Id record, ValueGraph::Ref what) override;
  void apply(const Watch &w, ValueGraph::Ref what) override;
  void prepare(Id node) override;
  void written(Id node) override;
  bool isRepeated(Id copying, ValueGraph::Copyings &first) override;
  void forget() override;
  void made(Id location) override;

  void apply(const Watch &w, Id location);
  void applyElsewhere(const Watch &w);
  bool findOverlays();

public:
  const PointsToInput in;
  ValueGraph graph;
  Cells cells;
  CallContexts contexts;
  TypeOverlays overlays;
  PriorContents prior;
  Marks marks;
  MemoryCopies copies;
  ConstraintRules rules;
  CallBinding calls;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_POINTSTO_POINTSTOSOLVER_H
