//===- Marks.h - Values that lead to nothing that is followed ---*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sets hold marks beside memory: a value that came from outside (file bytes),
// the value of a static scalar, a pointer that may lead to what is not followed
// (elsewhere). Here marks are put into memory: by an input function that fills
// it, by a library that is handed the address of a pointer.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_POINTSTO_MARKS_H
#define NVMOVE_PASSES_SOLVE_POINTSTO_MARKS_H

#include "passes/solve/pointsto/CallContexts.h"
#include "passes/solve/pointsto/Cells.h"

namespace nvmove {

class Marks {
public:
  Marks(const PointsToInput &input, ValueGraph &graph, Cells &cells,
        const CallContexts &contexts);

  /// A node for the marks in the set of `node`, or in what that leads to.
  Id of(Id node, bool behind = false);
  /// The node may hold a pointer that comes from elsewhere.
  void maybeElsewhere(Id node);
  /// A library that is handed the address of a pointer may set it.
  void spoil(Id location);
  /// The call fills the location with bytes from outside.
  void fill(Id call, Id location);
  void noteFill(Id location, Id call) { fills_.push_back({location, call}); }
  /// Location and call of the text.
  const std::vector<std::pair<Id, Id>> &fills() const { return fills_; }
  void made(Id location); ///< Cells::Observer

private:
  const Program &p_;
  ValueGraph &graph_;
  Cells &cells_;
  const CallContexts &contexts_;
  std::map<std::pair<Id, bool>, Id> nodes_; ///< node, or behind it -> node
  IdSet spoiled_; ///< objects: a library may have put pointers in
  IdSet mapped_;  ///< objects: the bytes of a file
  std::vector<std::pair<Id, Id>> fills_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_POINTSTO_MARKS_H
