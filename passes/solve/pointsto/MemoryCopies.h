//===- MemoryCopies.h - Records that are copied whole ----------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An assignment of records, memcpy() and the like: one hub for each cell that
// is copied, so that a copy between m targets and n sources costs m + n edges
// instead of m * n.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_POINTSTO_MEMORYCOPIES_H
#define NVMOVE_PASSES_SOLVE_POINTSTO_MEMORYCOPIES_H

#include "passes/solve/pointsto/Marks.h"
#include "passes/solve/pointsto/PriorContents.h"

namespace nvmove {

class MemoryCopies {
public:
  using Set = ValueGraph::Set;

  MemoryCopies(const PointsToInput &input, ValueGraph &graph, Cells &cells,
               TypeOverlays &overlays, PriorContents &prior, Marks &marks);

  /// From what `src` leads to, to what `dst` leads to. `record`: what is copied
  /// as one; None for a number of bytes.
  void copy(Id dst, Id src, Id record);
  /// The copying writes the location, or reads it.
  void join(Id copying, Id location, bool isSource);
  /// The copying reads what is not followed.
  void copyElsewhere(Id copying);
  /// ValueGraph::Rules::isRepeated().
  bool isRepeated(Id copying, ValueGraph::Copyings &first);
  /// Targets may admit more cells than they did.
  void copyAgain();
  void made(Id location); ///< Cells::Observer
  /// Calls `see` with the addresses of each copy of memory: where it goes, what
  /// is copied, and the record that is named for it or None.
  void eachCopy(
      llvm::function_ref<void(const Set &to, const Set &from, Id record)> see)
      const;

private:
  struct Target {
    Id object;
    Id part; ///< the record in it, None: all of it
  };
  struct Copying {
    Id dst, src, record;
    Id marks = None;       ///< of the bytes that are copied
    std::map<Id, Id> hubs; ///< by cell
    std::vector<Target> targets;
    bool fromElsewhere = false, isRepeated = false;
    bool toInside = false; ///< memcpy(n + 1, e, size)
  };
  void addTarget(Id copying, Id location, Id part);
  void spoil(const Target &target);
  Id partOf(Id copying, Id object) const;
  void unpack(Id copying, Id location);
  bool isIn(Id part, Id cell) const;
  bool moves(Id copying, Id cell);
  void copyCell(Id copying, Id location, bool isSource);
  void copyTo(Id copying, const Target &target, Id cell);
  bool joinHub(Id copying, Id cell, Id location, bool isSource);
  bool pointsInside(Id pointer) const;

  const Program &p_;
  const ProgramPointers &text_;
  ValueGraph &graph_;
  Cells &cells_;
  TypeOverlays &overlays_;
  PriorContents &prior_;
  Marks &marks_;
  std::vector<Copying> copyings_;
  using Joined = std::pair<Id, bool>;          ///< copying, from there
  IdMap<llvm::SmallVector<Joined, 1>> joined_; ///< by object
  std::map<Id, std::vector<Id>> within_; ///< by record: Program::overlays()
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_POINTSTO_MEMORYCOPIES_H
