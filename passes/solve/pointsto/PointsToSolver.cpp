//===- PointsToSolver.cpp - The parts of points-to, and its rounds --------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/PointsToSolver.h"

using namespace nvmove;

PointsToSolver::PointsToSolver(const Program &program,
                               const Allocators &allocators,
                               const FieldFlow &flow,
                               const PreLoadNullness &nullness,
                               const ProgramPointers &text,
                               PointsToOptions options)
    : in{program, allocators, flow, nullness, text, std::move(options)},
      graph(in, *this), cells(in, graph, *this), contexts(in, graph),
      overlays(in, graph, cells), prior(in, graph, cells, overlays),
      marks(in, graph, cells, contexts),
      copies(in, graph, cells, overlays, prior, marks),
      rules(in, graph, cells, overlays, prior, marks, copies),
      calls(in, graph, cells, contexts, prior, marks, copies, rules) {
  cells.makeMarks();
}

bool PointsToSolver::run() {
  calls.start();
  for (;;) {
    if (calls.enterNext())
      continue;
    if (graph.edges() > in.options.limit)
      return false;
    if (graph.step())
      continue;
    if (!calls.findLostCallees() && !findOverlays())
      break;
  }
  calls.joinInstances();
  return true;
}

bool PointsToSolver::findOverlays() {
  if (!overlays.findOverlays(contexts))
    return false;
  rules.forgetMembers();
  copies.copyAgain();
  overlays.passOn();
  return true;
}

ValueGraph::Ref PointsToSolver::admitted(Id record, ValueGraph::Ref what) {
  return overlays.admitted(record, what);
}

void PointsToSolver::prepare(Id node) { prior.prepare(node); }

/// Written, perhaps never read: static memory all the same.
void PointsToSolver::written(Id node) {
  const Facts &f = in.program.facts;
  if (node < f.nodes.size() && f.nodes[node].kind == NodeKind::Global &&
      in.program.recordOf(f.nodes[node].type) == None)
    cells.whole({MemoryObject::Variable, node});
}

bool PointsToSolver::isRepeated(Id copying, ValueGraph::Copyings &first) {
  return copies.isRepeated(copying, first);
}

void PointsToSolver::forget() { rules.forget(); }

void PointsToSolver::made(Id location) {
  overlays.made(location);
  marks.made(location);
  calls.library().made(location);
  copies.made(location);
}

void PointsToSolver::apply(const Watch &w, ValueGraph::Ref what) {
  const ValueGraph::Set &set = graph[what];
  if (!rules.accessShared(w, what)) {
    for (Id l : set)
      apply(w, l);
    return;
  }
  if (set.test(cells.elsewhere()))
    applyElsewhere(w);
}

void PointsToSolver::apply(const Watch &w, Id location) {
  using Use = Watch::Use;
  if (w.use == Use::Target || w.use == Use::Await)
    return calls.mayCall(w, location);
  if (w.use == Use::Convert) {
    if (location == cells.fileBytes())
      calls.library().fillConverted(w.other, w.extra);
    return;
  }
  if (location == cells.elsewhere())
    applyElsewhere(w);
  if (!cells.isMemory(location))
    return;
  switch (w.use) {
  case Use::Load:
  case Use::Store:
  case Use::Member:
  case Use::Beside:
    return rules.access(w, location);
  case Use::CopyTo:
  case Use::CopyFrom:
    return copies.join(w.other, location, w.use == Use::CopyFrom);
  case Use::Fill:
    return marks.fill(w.other, location);
  case Use::Scatter:
    return calls.library().scatter(location, w.other);
  case Use::Spoil:
    return marks.spoil(location);
  case Use::Await:
  case Use::Convert:
  case Use::Target:
    break;
  }
}

/// What lies in memory that is not followed, entry->d_name of a library's, is
/// not null for that.
void PointsToSolver::applyElsewhere(const Watch &w) {
  using Use = Watch::Use;
  if (w.use == Use::CopyFrom)
    copies.copyElsewhere(w.other);
  else if (w.use == Use::Load || w.use == Use::Member)
    marks.maybeElsewhere(w.other);
}
