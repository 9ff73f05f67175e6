//===- TypeGraph.h - Roots and types as a drawing -*- C++ -*- ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_REPORT_TYPEGRAPH_H
#define NVMOVE_TOOL_REPORT_TYPEGRAPH_H

#include "tool/report/Names.h"

namespace nvmove {

/// The roots and the persistent types as boxes in rows, and what leads from one
/// to another. Rows go by the distance from the roots; a row that would be too
/// wide goes on in the next. Lengths are in pixels.
class TypeGraph {
public:
  explicit TypeGraph(const Report &report);

  struct Box {
    std::string label;
    Id record = None; ///< None: a root
    unsigned layer = 0;
    unsigned row = 0, x = 0, width = 0;
  };
  struct Edge {
    enum Kind { Points, MayPoint, Holds } kind;
    size_t from, to;
    std::string label; ///< "dictEntry.next"
  };

  std::vector<Box> boxes;
  std::vector<Edge> edges;
  unsigned rows = 0, width = 0;

private:
  void addBoxes(const Report &report);
  void addRootEdges(const Report &report);
  void addTypeEdges(const Report &report);
  void connect(Edge::Kind kind, size_t from, Id record, std::string label);
  void assignLayers();
  void orderLayers();

  const Facts &facts;
  Names names;
  std::map<Id, size_t> byRecord;
  std::vector<std::vector<size_t>> layers;
};

} // namespace nvmove

#endif // NVMOVE_TOOL_REPORT_TYPEGRAPH_H
