//===- Marks.cpp - Values that lead to nothing that is followed -----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/Marks.h"

using namespace nvmove;

Marks::Marks(const PointsToInput &input, ValueGraph &graph, Cells &cells,
             const CallContexts &contexts)
    : p_(input.program), graph_(graph), cells_(cells), contexts_(contexts) {}

Id Marks::of(Id node, bool behind) {
  auto [at, fresh] = nodes_.try_emplace({graph_.find(node), behind}, None);
  if (!fresh)
    return at->second;
  Id marks = at->second = graph_.newMarks();
  if (behind)
    graph_.watch(node, {Watch::Use::Load, marks, None});
  else
    graph_.edge(node, marks);
  return marks;
}

void Marks::maybeElsewhere(Id node) {
  if (node != None && graph_.textOf(node) != None &&
      p_.isPointer(graph_.nodeAt(node).type))
    graph_.add(node, cells_.elsewhere());
}

void Marks::spoil(Id l) {
  const MemoryLocation at = cells_.at(l);
  if (at.field != None || cells_.object(at.object).record == None)
    return graph_.add(cells_.content(l), cells_.elsewhere());
  spoiled_.insert(at.object);
  for (Id k : cells_.locationsOf(at.object))
    graph_.add(cells_.content(k), cells_.elsewhere());
}

void Marks::fill(Id call, Id l) {
  const MemoryLocation at = cells_.at(l);
  noteFill(l, contexts_.callInText(call));
  graph_.add(cells_.content(l), cells_.fileBytes());
  // What records will be found in a mapped file is not known yet.
  const Call &c = contexts_.textOfCall(call);
  if (at.field == None && p_.mapsFile(c, c.callee) &&
      mapped_.insert(at.object).second)
    for (size_t i = 0; i < cells_.locationsOf(at.object).size(); ++i)
      graph_.add(cells_.content(cells_.locationsOf(at.object)[i]),
                 cells_.fileBytes());
  Id record = cells_.recordAt(l);
  if (record == None)
    return;
  for (Id cell : cells_.scalarCells(record))
    graph_.add(cells_.content(cells_.location(at.object, cell)),
               cells_.fileBytes());
}

void Marks::made(Id l) {
  const Id object = cells_.at(l).object;
  if (spoiled_.contains(object))
    graph_.add(cells_.content(l), cells_.elsewhere());
  if (mapped_.contains(object))
    graph_.add(cells_.content(l), cells_.fileBytes());
}
